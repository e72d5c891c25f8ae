import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { fieldProblems } from '../../base/field-problems.ts'
import { addressGroup } from '../../base/net/address-list.ts'
import { verifyPassword } from '../../base/password.ts'
import type { Sentence } from '../../base/reason.ts'
import { nameKey } from '../../base/text/login-name.ts'
import type { User } from '../../store/records/users.ts'
import { eventRow } from '../calls/event-row.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { defineOperation, type OperationContext, Reply } from '../operation/operation.ts'
import { toUserBrief, type UserBrief, userBrief } from '../users/user-record.ts'
import { unusedBackupCodes } from './backup-codes.ts'
import { codeText } from './code-field.ts'
import type { LoginAttempt } from './login-gate.ts'
import { takeCode } from './second-factor.ts'

const loginInput = z.strictObject({
  username: z
    .string()
    .trim()
    .min(1, fieldProblems.field_missing)
    .max(200)
    .describe('A user name or an e-mail.'),
  password: z.string().min(1, fieldProblems.field_missing).max(1000),
})

function noteFailure(user: User, { parts, ip, requestId }: OperationContext): void {
  const content: Sentence = {
    message: `A login as "${user.username}" failed.`,
    reason: { code: 'audit_login_failed', user: user.username },
  }
  void parts.ledger.record(eventRow(4, user, content, { requestId, ip, status: 401 }))
}

/** One sentence whatever was wrong: it must not tell which names are known, nor whose the owner's is. */
const refusal = (isPasswordLoginOn: boolean): GatewayError =>
  isPasswordLoginOn
    ? new GatewayError('invalid_credentials', {
        message: 'User name or password is wrong, or the account is disabled.',
        reason: { code: 'login_wrong' },
      })
    : new GatewayError('forbidden', {
        message:
          'Signing in with a password is switched off for all but the owner, or the password is wrong.',
        reason: { code: 'login_password_off' },
      })

/** Every way to name an account counts for that account. */
function attemptOf(
  user: User | undefined,
  username: string,
  { session, ip, loopback, signal }: OperationContext,
): LoginAttempt {
  const device = user ? (session?.deviceOf(user) ?? null) : null
  return {
    account: user ? `user ${user.id}` : `name ${nameKey(username)}`,
    address: addressGroup(ip),
    device: device && `device ${user?.id} ${device}`,
    isLocal: loopback,
    signal,
  }
}

/** The user as of now, if the password is right and lets in; null otherwise. */
async function checkPassword(
  user: User | undefined,
  password: string,
  { users, settings }: GatewayParts,
): Promise<User | null> {
  const isRight = await verifyPassword(password, user?.passwordHash ?? null)
  // Read again: hashing takes its time.
  const current = user && users.byId(user.id)
  const isKnown = isRight && current?.status === 1 && current.passwordHash === user?.passwordHash
  // The owner stays out of the switch: a gateway that nobody can sign in to is lost.
  return isKnown && (settings.current.PasswordLoginEnabled || current.role === 100) ? current : null
}

const login = defineOperation({
  name: 'session.login',
  summary: 'Signs in with a password; where a second factor is on, `session.login-2fa` follows.',
  access: 'none',
  http: { method: 'POST', path: '/api/user/login' },
  limit: 'entry',
  guesses: 'login-password',
  input: loginInput,
  output: z.union([userBrief, z.strictObject({ require_2fa: z.literal(true) })]),
  async run(
    { username, password },
    context,
  ): Promise<Reply<UserBrief | { require_2fa: true }> | UserBrief> {
    const { parts, session } = context
    const user = parts.users.byLogin(username)
    const current = await parts.logins.check(attemptOf(user, username, context), async () => {
      const found = await checkPassword(user, password, parts)
      // Unknown names are not written down: people type their password in the wrong field.
      // Nor is it waited for: the time of the answer would tell which names are known.
      if (user && !found) noteFailure(user, context)
      return found
    })
    if (!current) throw refusal(parts.settings.current.PasswordLoginEnabled)
    if (current.twoFactor?.isEnabled) {
      await session?.awaitSecondFactor(current)
      return new Reply(
        { require_2fa: true },
        { message: 'Enter the code of your authenticator app, or a backup code.' },
      )
    }
    await session?.signIn(current)
    return toUserBrief(current)
  },
})

const secondStep = defineOperation({
  name: 'session.login-2fa',
  summary: 'Completes a login with a code of the authenticator app, or with a backup code.',
  access: 'none',
  http: { method: 'POST', path: '/api/user/login/2fa' },
  limit: 'entry',
  guesses: 'login-code',
  legacyStatus: { unauthenticated: 200 },
  input: z.strictObject({ code: codeText }),
  output: userBrief.extend({
    backup_codes_left: z.int().optional().describe('After a login with one of them.'),
  }),
  async run({ code }, context) {
    const { parts, session } = context
    const userId = session?.pendingUserId
    const user = userId && parts.users.byId(userId)
    if (!session || !user) {
      throw new GatewayError('unauthenticated', {
        message: 'The login has expired. Enter user name and password again.',
        reason: { code: 'login_expired' },
      })
    }
    const attempt = attemptOf(user, user.username, context)
    // A new password ends what was counted: who guessed with the old one gets no further than the first step.
    const login = { ...attempt, account: `${attempt.account} since ${user.deviceEpoch}` }
    await takeCode(user, code, { state: 'enabled', takesBackup: true, login }, context)
    // Meanwhile the account may have been disabled, or the password changed, which ends this login.
    const current = parts.users.byId(user.id)
    if (current?.status !== 1 || current.passwordHash !== user.passwordHash) {
      await session.signOut()
      throw refusal(true)
    }
    await session.signIn(current)
    const [before, left] = [user, current].map(({ twoFactor }) =>
      unusedBackupCodes(twoFactor?.backupCodes ?? []),
    )
    return { ...toUserBrief(current), ...(left !== before && { backup_codes_left: left }) }
  },
})

const signOut = async (_input: unknown, { session }: OperationContext): Promise<void> => {
  await session?.signOut()
}

const logout = defineOperation({
  name: 'session.logout',
  summary: 'Ends this session.',
  access: 'none',
  http: { method: 'POST', path: '/api/user/logout' },
  input: z.strictObject({}),
  output: z.undefined(),
  run: signOut,
})

const logoutGet = defineOperation({
  name: 'session.logout-get',
  summary: 'The same, as clients of new-api ask for it.',
  access: 'none',
  http: { method: 'GET', path: '/api/user/logout' },
  hasEffect: true,
  input: z.object({}),
  output: z.undefined(),
  run: signOut,
})

export const loginOperations = [login, secondStep, logout, logoutGet] as const
