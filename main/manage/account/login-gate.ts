import { setTimeout as pause } from 'node:timers/promises'
import { GatewayError } from '../../base/errors.ts'
import { Turns } from '../../base/order/turns.ts'
import type { Reason } from '../../base/reason.ts'
import { waitText } from '../../base/wait-text.ts'
import { FailureCounts } from './failure-counts.ts'

/** The parts of a sign-in attempt that limits count by. */
export interface LoginAttempt {
  /** The account that the name leads to, or the name itself where nobody has it. */
  account: string
  /** The client's address, or the network that counts as one. */
  address: string
  /** A device on which somebody has signed in to this very account before; null = none that is known. */
  device: string | null
  /** From this machine itself. */
  isLocal: boolean
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal
}

/** Milliseconds without a failure after which the ones before are forgotten. */
const FORGET_AFTER = 20 * 60_000
/** Logins that wait for their turn in one lane; further ones are told to come back. */
const MOST_WAITING = 16

/** Nothing for the first `free` failures, then 1 s, twice as long each time, up to `longest` seconds. */
const growing =
  (free: number, longest: number) =>
  (count: number): number =>
    count < free ? 0 : 1000 * Math.min(longest, 2 ** (count - free))

/** For those who are never shut out: at most some three guesses a second, for good. */
const slowing = (count: number): number => (count < 10 ? 0 : Math.min(300, 25 * 2 ** (count - 10)))

/** Failures from this machine or a known device after which they are answered as too many. */
const TOLD_AFTER = 20

const tooMany = (message: string, seconds: number, reason: Reason): GatewayError =>
  new GatewayError('rate_limited', { message, retryAfter: seconds, reason })

/**
 * Limits guessing of passwords, and keeps logins from taking the machine.
 *
 * From afar wrong passwords make the next attempt wait, longer each time: by account and address after 5, by
 * address after 100, by account from everywhere after 100. An attempt within the wait is refused unchecked.
 * From this machine and from a known device passwords are always checked, so nobody can shut the owner out;
 * there guesses are slowed down instead.
 *
 * Logins of one lane (all from afar, this machine, each known device) are checked one after the other, so that
 * many from one side delay none from another.
 */
export class LoginGate {
  readonly #lanes = new Turns<string>()
  readonly #waiting = new Map<string, number>()
  readonly #slowed = new FailureCounts(slowing, FORGET_AFTER)
  readonly #byPair = new FailureCounts(growing(5, 1200), FORGET_AFTER)
  readonly #byAddress = new FailureCounts(growing(100, 1200), FORGET_AFTER)
  readonly #byAccount = new FailureCounts(growing(100, 60), FORGET_AFTER)

  /**
   * Gives what `verify` gives, null being a wrong password, which it counts. Throws `rate_limited` with the
   * seconds to wait.
   */
  check<Found>(attempt: LoginAttempt, verify: () => Promise<Found | null>): Promise<Found | null> {
    const near = attempt.device ?? (attempt.isLocal ? 'this machine' : null)
    return near === null ? this.#fromAfar(attempt, verify) : this.#fromNear(near, attempt, verify)
  }

  async #fromNear<Found>(
    key: string,
    { signal, device }: LoginAttempt,
    verify: () => Promise<Found | null>,
  ): Promise<Found | null> {
    const { found, count } = await this.#inLane(key, signal, async () => {
      await pause(this.#slowed.left(key), undefined, { signal })
      const found = await verify()
      if (found === null) return { found, count: this.#slowed.add(key) }
      if (device !== null) this.#slowed.clear(key)
      return { found, count: 0 }
    })
    if (count > TOLD_AFTER) {
      throw tooMany('Too many wrong passwords. Only the right one is accepted here now.', 1, {
        code: 'login_only_right',
      })
    }
    return found
  }

  async #fromAfar<Found>(
    { account, address, signal }: LoginAttempt,
    verify: () => Promise<Found | null>,
  ): Promise<Found | null> {
    const pair = `${address} ${account}`
    const refuse = () => {
      const left = Math.max(
        this.#byPair.left(pair),
        this.#byAddress.left(address),
        this.#byAccount.left(account),
      )
      const seconds = Math.ceil(left / 1000)
      if (seconds > 0) {
        throw tooMany(`Too many failed logins. Try again in ${waitText(seconds)}.`, seconds, {
          code: 'login_too_many',
          seconds,
        })
      }
    }
    refuse()
    return this.#inLane('afar', signal, async () => {
      // Those before it in the lane may have failed meanwhile.
      refuse()
      const found = await verify()
      if (found !== null) this.#byPair.clear(pair)
      else {
        this.#byPair.add(pair)
        this.#byAddress.add(address)
        this.#byAccount.add(account)
      }
      return found
    })
  }

  async #inLane<Result>(
    lane: string,
    signal: AbortSignal,
    act: () => Promise<Result>,
  ): Promise<Result> {
    const waiting = this.#waiting.get(lane) ?? 0
    if (waiting > MOST_WAITING) {
      throw tooMany('Too many logins at once. Try again in 2 seconds.', 2, { code: 'login_busy' })
    }
    this.#waiting.set(lane, waiting + 1)
    try {
      return await this.#lanes.take(lane, () => {
        if (signal.aborted) {
          throw new GatewayError('client_gone', { message: 'The client has left.' })
        }
        return act()
      })
    } finally {
      const left = (this.#waiting.get(lane) ?? 1) - 1
      if (left > 0) this.#waiting.set(lane, left)
      else this.#waiting.delete(lane)
    }
  }
}
