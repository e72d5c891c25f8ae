import { z } from 'zod'
import { GatewayError } from '../base/errors.ts'
import { verifyPassword } from '../base/password.ts'
import type { User } from '../store/users.ts'
import { eventRow } from './event-row.ts'
import { defineOperation, type OperationContext } from './operation.ts'
import { toUserBrief } from './user-record.ts'

const loginInput = z.strictObject({
  username: z.string().trim().min(1, 'is missing').max(200),
  password: z.string().min(1, 'is missing').max(1000),
})

function noteFailure(user: User, { parts, ip, requestId }: OperationContext): void {
  const content = `A login as "${user.username}" failed.`
  void parts.ledger.record(eventRow(4, user, content, { requestId, ip, status: 401 }))
}

const login = defineOperation({
  name: 'session.login',
  access: 'none',
  http: { method: 'POST', path: '/api/user/login' },
  limit: 'critical',
  input: loginInput,
  async run({ username, password }, context) {
    const { parts, session } = context
    const user =
      parts.users.byUsername(username) ??
      parts.users.all().find(({ email }) => email !== '' && email === username)
    const isRight = await verifyPassword(password, user?.passwordHash ?? null)
    // Read again: a minute may have passed in a queue of logins.
    const current = user && parts.users.byId(user.id)
    if (!isRight || !current || current.status !== 1) {
      // Unknown names are not written down: people type their password in the wrong field.
      // Nor is it waited for: the time of the answer would tell which names are known.
      if (user) noteFailure(user, context)
      throw new GatewayError('invalid_credentials', {
        message: 'User name or password is wrong, or the account is disabled.',
      })
    }
    await session?.signIn(current)
    return toUserBrief(current)
  },
})

const signOut = async (_input: unknown, { session }: OperationContext): Promise<void> => {
  await session?.signOut()
}

const logout = defineOperation({
  name: 'session.logout',
  access: 'none',
  http: { method: 'POST', path: '/api/user/logout' },
  input: z.strictObject({}),
  run: signOut,
})

const logoutGet = defineOperation({
  name: 'session.logout-get',
  access: 'none',
  http: { method: 'GET', path: '/api/user/logout' },
  input: z.object({}),
  run: signOut,
})

export const loginOperations = [login, logout, logoutGet] as const
