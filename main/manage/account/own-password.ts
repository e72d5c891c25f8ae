import { verifyPassword } from '../../base/password.ts'
import type { Sentence } from '../../base/reason.ts'
import type { User, Users } from '../../store/records/users.ts'
import type { OperationContext } from '../operation/operation.ts'
import {
  countWrong,
  lockAfter,
  lockSecondsOf,
  oneAtATime,
  refuseLocked,
  withLock,
} from './second-factor.ts'

/** Wrong passwords in a row, of users in whose second factor they could not be counted. */
type Counts = Map<number, { failedAttempts: number; lockedUntil: number }>

const wrong: Sentence = {
  message: 'The password is wrong.',
  reason: { code: 'password_wrong' },
}

/** Forgotten with the process: somebody who guesses here is signed in, and can't restart the gateway. */
const counted = new WeakMap<Users, Counts>()

function countsOf(users: Users): Counts {
  const counts = counted.get(users) ?? new Map()
  counted.set(users, counts)
  return counts
}

/**
 * The problem with the password that the user gives for the own account; null = it is right. The fifth
 * wrong one in a row locks, or counts as a wrong code where a second factor is on. There a right one
 * forgives none: it would be a way to try codes without end. Throws `locked`.
 */
export const ownPasswordProblem = (
  user: User,
  password: string,
  context: OperationContext,
): Promise<Sentence | null> =>
  oneAtATime(user, async () => {
    const { users } = context.parts
    const counts = countsOf(users)
    const current = users.byId(user.id)
    const factor = current?.twoFactor
    refuseLocked((factor?.isEnabled ? factor : counts.get(user.id))?.lockedUntil ?? 0)
    if (await verifyPassword(password, current?.passwordHash ?? null)) {
      counts.delete(user.id)
      return null
    }
    if (users.byId(user.id)?.twoFactor?.isEnabled) {
      return withLock(wrong, countWrong(user.id, 'password', context))
    }
    const failedAttempts = (counts.get(user.id)?.failedAttempts ?? 0) + 1
    const lockedUntil = lockAfter(failedAttempts)
    counts.set(user.id, { failedAttempts, lockedUntil })
    return withLock(wrong, lockSecondsOf(lockedUntil))
  })
