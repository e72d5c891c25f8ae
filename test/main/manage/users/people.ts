import { hashPassword } from '../../../../main/base/password.ts'
import type { User } from '../../../../main/store/records/users.ts'
import type { Management, Visitor } from '../management.ts'

export const PASSWORD = 'a good password'

/** Made once: hashing is slow by design. */
const hashed = hashPassword(PASSWORD)

/** A browser of someone, who is in the state already. */
export interface Person extends Visitor {
  id: number
}

/** Makes a user of a role, and signs in as that user. */
export async function signInAs(
  { gateway, visitor }: Pick<Management, 'gateway' | 'visitor'>,
  fields: Partial<User> & { username: string },
): Promise<Person> {
  const passwordHash = await hashed
  const { id } = gateway.parts.users.create({ passwordHash, ...fields })
  const browser = visitor()
  const login = { username: fields.username, password: PASSWORD }
  const { status } = await browser.send('POST', '/api/user/login', login)
  if (status !== 200) throw new Error(`The login of ${fields.username} failed with ${status}`)
  return Object.assign(browser, { id })
}
