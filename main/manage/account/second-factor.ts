import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { Turns } from '../../base/order/turns.ts'
import type { Sentence } from '../../base/reason.ts'
import { waitText } from '../../base/wait-text.ts'
import type { TwoFactor, User } from '../../store/records/users.ts'
import { eventRow } from '../calls/event-row.ts'
import type { OperationContext } from '../operation/operation.ts'
import { findBackupCode, readBackupCode } from './backup-codes.ts'
import type { LoginAttempt } from './login-gate.ts'
import { readTotp, totpStep } from './totp.ts'

const WRONG_CODES = 5
const LOCK_SECONDS = 300

const wrongCodes = {
  app: {
    message: 'The code is wrong, or was used already; wait for the next one.',
    reason: { code: 'code_wrong' },
  },
  pending: {
    message:
      "The code is wrong, or was used already. Wait for the next one of the newest QR code. If it's wrong too, check the clocks of the phone and of the gateway's machine.",
    reason: { code: 'code_wrong_pending' },
  },
  backup: {
    message: "This isn't one of your backup codes. Check it, or enter a code of the app.",
    reason: { code: 'backup_code_wrong' },
  },
  'used backup': {
    message: 'This backup code was used already. Enter another one, or a code of the app.',
    reason: { code: 'backup_code_used' },
  },
  unreadable: {
    message:
      'The code is wrong, or was used already. Codes of the app cannot be checked any more, because the key of this data folder has changed: use a backup code, or run the gateway once with --reset-2fa.',
    reason: { code: 'code_wrong_app_unreadable' },
  },
} satisfies Record<string, Sentence>

type WrongCode = 'app' | 'backup' | 'used backup'

const turns = new Turns()

/** Checks of one user wait for each other: many at once would all be made before the first is counted. */
export const oneAtATime = <Result>(user: User, check: () => Promise<Result>): Promise<Result> =>
  turns.take(user.id, check)

/** Unix seconds until which so many wrong ones in a row lock; 0 = they do not yet. */
export const lockAfter = (failedAttempts: number): number =>
  failedAttempts >= WRONG_CODES ? unixSeconds() + LOCK_SECONDS : 0

/** Purpose of a code. */
export interface CodeUse {
  /** Which state the second factor must be in. */
  state: 'pending' | 'enabled'
  /** May a backup code stand for a code of the app? */
  takesBackup: boolean
  /** The second factor after the same change; null = none. Left out: unchanged. */
  apply?(factor: TwoFactor): TwoFactor | null | Promise<TwoFactor>
  /** Does the same change end the user's other sessions, in which nobody showed the factor as it is then? */
  endsOtherSessions?: boolean
  /**
   * The login that it completes; left out = an act of who is signed in. Counted apart, since somebody who knows
   * the password could else lock the owner out of a session.
   */
  login?: LoginAttempt
}

/**
 * Takes a code once. Throws `conflict` when the second factor is not in that state, `invalid_code`, and
 * `locked` after five wrong codes in a row; a wrong code after a lock has ended locks again at once. Those of
 * logins are counted by `login-codes.ts`.
 */
export const takeCode = (
  user: User,
  typed: string,
  use: CodeUse,
  context: OperationContext,
): Promise<void> =>
  oneAtATime(user, async () => {
    const { login } = use
    const { parts } = context
    const factor = factorIn(use.state, user.id, context)
    if (login) parts.loginCodes.refuse(login)
    else refuseLocked(factor.lockedUntil)
    refuseUncheckable(typed, factor, context)
    const taken = await read(typed, factor, use)
    if (taken === 'malformed') {
      throw new GatewayError('invalid_code', {
        reason: { code: use.takesBackup ? 'code_of_app_or_backup' : 'code_of_app' },
        message: use.takesBackup
          ? 'Enter the six digits that the app shows, or one of your backup codes.'
          : 'Enter the six digits that the app shows.',
        field: 'code',
      })
    }
    if (typeof taken === 'string') {
      const readable = use.state === 'pending' ? 'pending' : taken
      const wrong = wrongCodes[factor.secret === null ? 'unreadable' : readable]
      const lockSeconds = login
        ? countWrongLogin(user, login, context)
        : countWrong(user.id, 'code', context)
      const problem = withLock(wrong, lockSeconds)
      throw new GatewayError('invalid_code', { ...problem, field: 'code' })
    }
    const next = use.apply ? await use.apply(taken) : taken
    // A change made meanwhile, a new setup or a reset, wins.
    const current = factorIn(use.state, user.id, context)
    if (JSON.stringify(current) !== JSON.stringify(factor)) throw changedMeanwhile()
    const ends = use.endsOtherSessions ? { exceptId: context.session?.id } : undefined
    parts.users.update(user.id, { twoFactor: next }, ends)
    if (login) parts.loginCodes.forgive(login)
  })

/** A code that cannot be checked now is not a wrong one, so none is counted. */
function refuseUncheckable(
  typed: string,
  { secret }: TwoFactor,
  { parts }: Pick<OperationContext, 'parts'>,
): void {
  if (secret !== null || !parts.secretKey.lock || readTotp(typed) === null) return
  throw new GatewayError('keychain_locked', {
    message:
      "Codes of an authenticator app can't be checked while the gateway's keychain is locked. Use a backup code, or unlock the keychain first.",
    field: 'code',
    reason: { code: 'codes_need_keychain' },
  })
}

function factorIn(state: CodeUse['state'], userId: number, { parts }: OperationContext): TwoFactor {
  const factor = parts.users.byId(userId)?.twoFactor
  if (state === 'pending') {
    if (factor?.isEnabled) {
      throw new GatewayError('conflict', {
        message: 'The second factor is on already.',
        reason: { code: 'factor_is_on' },
      })
    }
    if (factor) return factor
    throw new GatewayError('conflict', {
      message: 'There is no second factor to switch on. Set one up first.',
      reason: { code: 'factor_not_set_up' },
    })
  }
  if (factor?.isEnabled) return factor
  throw new GatewayError('conflict', {
    message: 'The second factor is not on.',
    reason: { code: 'factor_is_off' },
  })
}

const changedMeanwhile = (): GatewayError =>
  new GatewayError('conflict', {
    message: 'The second factor was changed at the same time. Look at it and try again.',
    reason: { code: 'factor_changed' },
  })

/** Seconds that a lock still lasts; a clock that was set back must lock nobody out. */
export function lockLeft(until: number): number {
  const seconds = until - unixSeconds()
  return seconds > LOCK_SECONDS ? 0 : Math.max(0, seconds)
}

/** Throws `locked` with the seconds to wait. */
export function refuseLocked(until: number): void {
  const seconds = lockLeft(until)
  if (seconds === 0) return
  throw new GatewayError('locked', {
    message: `Too many wrong codes or passwords. Try again in ${waitText(seconds)}.`,
    reason: { code: 'codes_locked', seconds },
    retryAfter: seconds,
  })
}

/** The second factor once the code is used up, or what is wrong with the code. */
async function read(
  typed: string,
  factor: TwoFactor,
  { takesBackup, login }: CodeUse,
): Promise<TwoFactor | 'malformed' | WrongCode> {
  const open = login ? factor : { ...factor, failedAttempts: 0, lockedUntil: 0 }
  const digits = readTotp(typed)
  if (digits !== null) {
    const step = totpStep(digits, factor.secret)
    return step !== null && step > factor.lastStep ? { ...open, lastStep: step } : 'app'
  }
  const letters = takesBackup ? readBackupCode(typed) : null
  if (letters === null) return 'malformed'
  const found = await findBackupCode(letters, factor.backupCodes)
  if (found < 0) return 'backup'
  if (factor.backupCodes[found]?.usedAt !== null) return 'used backup'
  const backupCodes = factor.backupCodes.map((one, index) =>
    index === found ? { ...one, usedAt: unixSeconds() } : one,
  )
  return { ...open, backupCodes }
}

/** Seconds of a lock that has just begun; 0 = none has. */
export const lockSecondsOf = (lockedUntil: number): number => (lockedUntil > 0 ? LOCK_SECONDS : 0)

/** The sentence with the lock that has just begun, if one has. */
export const withLock = (wrong: Sentence, seconds: number): Sentence =>
  seconds === 0
    ? wrong
    : {
        message: `${wrong.message} Too many wrong ones: try again in ${waitText(seconds)}.`,
        reason: { code: 'wrong_and_locked', why: wrong.reason, seconds },
      }

/** Counts one more, locks from the fifth on, writes it down; gives the seconds of the lock. */
export function countWrong(
  userId: number,
  what: 'code' | 'password',
  context: OperationContext,
): number {
  const { parts } = context
  const user = parts.users.byId(userId)
  const factor = user?.twoFactor
  if (!user || !factor) throw changedMeanwhile()
  const failedAttempts = factor.failedAttempts + 1
  const lockedUntil = lockAfter(failedAttempts)
  parts.users.update(userId, { twoFactor: { ...factor, failedAttempts, lockedUntil } })
  const seconds = lockSecondsOf(lockedUntil)
  noteWrong(
    {
      message: `A wrong ${what} was entered as the second step of "${user.username}".`,
      reason: { code: `audit_${what}_wrong`, user: user.username },
    },
    seconds,
    user,
    context,
  )
  return seconds
}

/** Counts one more of a login, writes it down; gives the seconds of the lock. */
function countWrongLogin(user: User, login: LoginAttempt, context: OperationContext): number {
  const seconds = context.parts.loginCodes.add(login)
  noteWrong(
    {
      message: `A wrong code was entered in a login as "${user.username}".`,
      reason: { code: 'audit_login_code_wrong', user: user.username },
    },
    seconds,
    user,
    context,
  )
  return seconds
}

function noteWrong(
  wrong: Sentence,
  seconds: number,
  user: User,
  { parts, requestId, ip }: OperationContext,
): void {
  const content: Sentence =
    seconds === 0
      ? wrong
      : {
          message: `${wrong.message} Locked for ${waitText(seconds)}.`,
          reason: { code: 'audit_locked', why: wrong.reason, seconds },
        }
  void parts.ledger.record(eventRow(4, user, content, { requestId, ip, status: 400 }))
}
