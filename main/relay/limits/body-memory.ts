import { GatewayError } from '../../base/errors.ts'

/** Bytes that the bodies of all calls may take together: many ordinary ones, or a few of the largest. */
const MOST_BYTES = 512 * 1024 * 1024
/** Seconds after which a call that was refused may be sent again: how long others last nobody knows. */
const HINT = 5

/** Counts the memory of bodies of running and waiting calls, so that many large ones can't use it up. */
export class BodyMemory {
  readonly #most: number
  #held = 0

  constructor(most = MOST_BYTES) {
    this.#most = most
  }

  /** In bytes. */
  get held(): number {
    return this.#held
  }

  get isFull(): boolean {
    return this.#held > this.#most
  }

  hold(bytes: number): void {
    this.#held += bytes
  }

  release(bytes: number): void {
    this.#held -= bytes
  }

  refusal(): GatewayError {
    return new GatewayError('gateway_busy', {
      message: `The bodies of running calls fill the memory set aside for them, ${this.#most / 1024 / 1024} MiB. Try again in ${HINT} s.`,
      reason: { code: 'bodies_at_limit', mebibytes: this.#most / 1024 / 1024, seconds: HINT },
      retryAfter: HINT,
    })
  }
}
