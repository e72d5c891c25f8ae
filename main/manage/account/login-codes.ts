import { GatewayError } from '../../base/errors.ts'
import { waitText } from '../../base/wait-text.ts'
import { FailureCounts } from './failure-counts.ts'
import type { LoginAttempt } from './login-gate.ts'

const DAY = 24 * 60 * 60_000
/** Seconds of the first lock, and of the longest. */
const [FIRST_LOCK, LONGEST_LOCK] = [300, 3600]

/** Nothing for the first failures; from `most` on a lock, twice as long each time. Milliseconds. */
const locking =
  (most: number) =>
  (count: number): number =>
    count < most ? 0 : 1000 * Math.min(LONGEST_LOCK, FIRST_LOCK * 2 ** (count - most))

/**
 * Limits guessing of codes in the second step of a login. Three codes of a million are right at any time, so
 * guesses must stay rare for good: some twenty a day.
 *
 * Wrong codes are counted by where they come from: this machine, a known device, an address. Those from afar
 * are counted for the account too, however many addresses they come from. Somebody who guesses from afar thus locks
 * neither the owner's devices nor the machine, and no act of a session, which `second-factor.ts` counts.
 */
export class LoginCodes {
  readonly #bySource = new FailureCounts(locking(5), DAY)
  readonly #fromAfar = new FailureCounts(locking(10), DAY)

  /** Throws `locked` with the seconds to wait. */
  refuse(attempt: LoginAttempt): void {
    const [source, account] = this.#secondsLeft(attempt)
    const seconds = Math.max(source, account)
    if (seconds === 0) return
    const elsewhere =
      account > source
        ? " Browsers that you've signed in with before, and the gateway's own machine, are not locked."
        : ''
    throw new GatewayError('locked', {
      message: `Too many wrong codes. Try again in ${waitText(seconds)}.${elsewhere}`,
      reason: { code: elsewhere ? 'wrong_codes_locked_from_afar' : 'codes_locked', seconds },
      retryAfter: seconds,
    })
  }

  /** Counts a wrong code; gives the seconds for which no further one is taken. */
  add(attempt: LoginAttempt): number {
    this.#bySource.add(sourceOf(attempt))
    if (isFromAfar(attempt)) this.#fromAfar.add(attempt.account)
    return Math.max(...this.#secondsLeft(attempt))
  }

  /** After a right code. What came from afar stays counted, or every login would buy a stranger guesses. */
  forgive(attempt: LoginAttempt): void {
    this.#bySource.clear(sourceOf(attempt))
  }

  #secondsLeft(attempt: LoginAttempt): [source: number, account: number] {
    const account = isFromAfar(attempt) ? this.#fromAfar.left(attempt.account) : 0
    const source = this.#bySource.left(sourceOf(attempt))
    return [Math.ceil(source / 1000), Math.ceil(account / 1000)]
  }
}

const isFromAfar = ({ device, isLocal }: LoginAttempt): boolean => device === null && !isLocal

const sourceOf = ({ account, address, device, isLocal }: LoginAttempt): string =>
  device ?? `${isLocal ? 'this machine' : address} ${account}`
