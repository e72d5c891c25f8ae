import { GatewayError } from '../../base/errors.ts'
import { readOnce } from '../../base/read-once.ts'
import { nameKey, nameLook } from '../../base/text/login-name.ts'
import type { StoredUser } from '../state/state.ts'

export interface ClaimedNames {
  username?: string | undefined
  email?: string | undefined
}

/** Keys of a frozen record. */
export const loginKeys = readOnce(
  ({ username, email }: Pick<StoredUser, 'username' | 'email'>) => ({
    name: nameKey(username),
    look: nameLook(username),
    email: nameKey(email),
  }),
)

/** A user as far as names go. */
export type NamedUser = Pick<StoredUser, 'id' | 'username' | 'email' | 'deletedAt'>

/** The refusal of a name or an e-mail that is taken. */
export const takenName = (
  taken: 'username' | 'email',
  { username = '', email = '' }: ClaimedNames,
): GatewayError =>
  new GatewayError('conflict', {
    message:
      taken === 'username'
        ? `The user name "${username}" is taken, or looks like one that is.`
        : `Another user has the e-mail address ${email}.`,
    field: taken,
    reason:
      taken === 'username'
        ? { code: 'name_taken', user: username }
        : { code: 'email_taken', email },
  })

type Ids = Map<string, number[]>

/**
 * Names and e-mails let in alike, so they are claimed alike: no name may look like that of another, deleted ones
 * too, and neither may be somebody else's e-mail.
 */
export class LoginNames {
  #seen: readonly NamedUser[] = []
  #looks: Ids = new Map()
  #emails: Ids = new Map()

  /** Gives which of the two is taken by another than `id`; null = none. */
  takenOf(
    users: readonly NamedUser[],
    { username, email }: ClaimedNames,
    id: number,
  ): 'username' | 'email' | null {
    if (username === undefined && !email) return null
    this.#refresh(users)
    const hasLook = (name: string) => isOthers(this.#looks.get(nameLook(name)), id)
    const hasEmail = (name: string) => isOthers(this.#emails.get(nameKey(name)), id)
    if (username !== undefined && (hasLook(username) || hasEmail(username))) return 'username'
    return email && (hasEmail(email) || hasLook(email)) ? 'email' : null
  }

  /** Adds those at the end alone where the others are the same, as when many are created. */
  #refresh(users: readonly NamedUser[]): void {
    if (users === this.#seen) return
    const isLonger = this.#seen.every((user, index) => user === users[index])
    if (!isLonger) {
      this.#looks = new Map()
      this.#emails = new Map()
    }
    for (const user of isLonger ? users.slice(this.#seen.length) : users) {
      const { look, email } = loginKeys(user)
      add(this.#looks, look, user.id)
      if (user.deletedAt === null && user.email) add(this.#emails, email, user.id)
    }
    this.#seen = users
  }
}

function add(ids: Ids, key: string, id: number): void {
  const known = ids.get(key)
  if (known) known.push(id)
  else ids.set(key, [id])
}

const isOthers = (ids: readonly number[] | undefined, id: number): boolean =>
  ids?.some((one) => one !== id) ?? false
