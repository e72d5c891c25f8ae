import type { FrameSocket } from '../../base/net/frame-socket.ts'
import type { RealtimeFact } from '../../convert/other/realtime/usage.ts'

/** Milliseconds for which the usage of responses is waited for that their client has left. */
const PATIENCE = 10_000
/** Responses under way that are remembered; OpenAI has few at a time. */
const MOST = 100

/**
 * Closes a session's upstream when its client has left. A response tells its usage last: a client that leaves just
 * before that would have it for nothing. So responses under way are cancelled, and their usage is waited for.
 */
export class GracefulClose {
  readonly #upstream: FrameSocket
  /** Ids of the responses under way. */
  readonly #running = new Set<string>()
  #close: { code: number; reason: string } | null = null
  #until = Infinity

  constructor(upstream: FrameSocket) {
    this.#upstream = upstream
  }

  note(fact: RealtimeFact): void {
    if (fact.type === 'response-begun' && this.#running.size < MOST) this.#running.add(fact.id)
    if (fact.type !== 'response') return
    if (fact.id === null) this.#running.clear()
    else this.#running.delete(fact.id)
    if (this.#close && this.#running.size === 0) this.finish()
  }

  /** The client has left: closes the upstream with the same code, as soon as all usage is known. */
  begin(code: number, reason: string): void {
    this.#close = { code, reason }
    this.#until = performance.now() + PATIENCE
    if (this.#running.size === 0) this.finish()
    for (const id of this.#running) {
      const event = { type: 'response.cancel', response_id: id }
      this.#upstream.send(Buffer.from(JSON.stringify(event)), false)
    }
    // The client may have been too slow to take more.
    this.#upstream.resume()
  }

  tick(now: number): void {
    if (now >= this.#until) this.finish()
  }

  /** Closes now. */
  finish(): void {
    const { code, reason } = this.#close ?? { code: 1001, reason: '' }
    this.#until = Infinity
    this.#upstream.close(code, reason)
  }
}
