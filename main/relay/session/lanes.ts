import type { StreamScanner } from '../../convert/stream-scanner.ts'
import type { Call } from '../call.ts'
import type { Meter } from '../meter.ts'

/** A response under way on a connection. */
export interface OpenResponse {
  call: Call
  meter: Meter
  /** The lane that the client named (`stream_id`), or null. */
  lane: string | null
  /** The vendor's id of it, once it has told one. */
  id: string | null
  /** Has heard all its messages, to count what it has used should it be cut. */
  scanner: StreamScanner
}

/** The messages of one response tell of it by these. */
export interface ResponseMark {
  lane: string | null
  id: string | null
}

/**
 * The responses under way on one connection. In a lane they follow each other, lanes run side by side
 * (https://platform.openai.com/docs/guides/websocket-mode).
 */
export class SessionLanes {
  #open: OpenResponse[] = []
  /** Ids of those that ended with an error, whose last event may still come. */
  readonly #failed = new Set<string>()

  /** The only one there is. */
  get only(): OpenResponse | undefined {
    return this.#open.length === 1 ? this.#open[0] : undefined
  }

  get size(): number {
    return this.#open.length
  }

  add(response: OpenResponse): void {
    this.#open.push(response)
  }

  /** The response that a message belongs to: by its id, else the first of its lane that has none. */
  find({ lane, id }: ResponseMark): OpenResponse | undefined {
    if (id !== null && this.#failed.has(id)) return undefined
    const known = id === null ? undefined : this.#open.find((one) => one.id === id)
    if (known) return known
    const waiting = this.#open.filter((one) => id === null || one.id === null)
    return waiting.find((one) => one.lane === lane) ?? (lane === null ? waiting[0] : undefined)
  }

  remove(response: OpenResponse, hasFailed = false): void {
    this.#open = this.#open.filter((one) => one !== response)
    if (hasFailed && response.id !== null) this.#failed.add(response.id)
  }

  /** All of them, taken out. */
  takeAll(): OpenResponse[] {
    const all = this.#open
    this.#open = []
    return all
  }
}
