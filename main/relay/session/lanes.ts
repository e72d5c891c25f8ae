import type { GatewayError } from '../../base/errors.ts'
import { codecOf } from '../../convert/codecs.ts'
import type { StreamScanner } from '../../convert/events/stream-scanner.ts'
import type { WatchedAttempt } from '../4-attempt/watched-attempt.ts'
import type { Call } from '../call/call.ts'
import type { CallRecord } from '../call/call-record.ts'
import { markOf } from './client-message.ts'
import type { ResponseClock } from './response-clock.ts'

const createScanner = (): StreamScanner =>
  codecOf('responses').createScanner({ withholdUsage: false, showModel: null, asArray: false })

/** A response under way on a connection. */
export interface OpenResponse {
  call: Call
  record: CallRecord
  /** The lane that the client named (`stream_id`), or null. */
  lane: string | null
  /** The vendor's id of it, once it has told one. */
  id: string | null
  /** Has heard all its messages, to count what it has used should it be cut. */
  scanner: StreamScanner
  clock: ResponseClock
  /** Its try at an upstream whose connection was there already; null on a new one. */
  watched: WatchedAttempt | null
  /** The client has said more while it was under way. */
  isSteered: boolean
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
  /** The last response of each lane, where the client had said more to it: its vendor may go on by itself. */
  readonly #steered = new Map<string | null, OpenResponse>()
  /** Lanes in which a response was given up, whose vendor may speak of it yet. */
  readonly #left = new Set<string | null>()

  /** The only one there is. */
  get only(): OpenResponse | undefined {
    return this.#open.length === 1 ? this.#open[0] : undefined
  }

  get size(): number {
    return this.#open.length
  }

  /** Where a message belongs which tells nothing of its response; null where that does not depend on its lane. */
  markOf(data: Buffer, isBinary: boolean): ResponseMark | null {
    const needsLane = this.#open.length > 1 || this.#left.size > 0
    return isBinary || !needsLane ? null : markOf(data)
  }

  /** Messages in this lane belong to no response any more. */
  isLeft({ lane }: Pick<ResponseMark, 'lane'>): boolean {
    return this.#left.has(lane)
  }

  /** The client says more of what is under way. */
  noteSteering(): void {
    for (const one of this.#open) one.isSteered = true
  }

  /** A message has come, of this response; one without a lane may be a sign of any. */
  noteSign(response: OpenResponse | undefined, lane: string | null): void {
    for (const one of this.#open) {
      if (one === response || lane === null) one.clock.noteSign(one === response)
    }
  }

  /** Those whose time has run out. One that waits for another in its lane has all the time it needs. */
  overdue(
    now: number,
    { isClientsTurn, isTaking }: { isClientsTurn: boolean; isTaking: boolean },
  ): { response: OpenResponse; error: GatewayError }[] {
    const lanes = new Set<string | null>()
    const found: { response: OpenResponse; error: GatewayError }[] = []
    for (const response of this.#open) {
      const waits = lanes.has(response.lane)
      lanes.add(response.lane)
      const state = { isClientsTurn: isClientsTurn || waits, isTaking }
      const error = response.clock.check(now, state)
      if (error) found.push({ response, error })
    }
    return found
  }

  /** Takes out all of a lane on which its vendor has gone silent. */
  leave(lane: string | null): OpenResponse[] {
    const all = this.#open.filter((one) => one.lane === lane)
    this.#left.add(lane)
    for (const one of all) this.remove(one, true)
    return all
  }

  add(asked: Pick<OpenResponse, 'call' | 'record' | 'lane' | 'clock' | 'watched'>): OpenResponse {
    const response = { ...asked, id: null, scanner: createScanner(), isSteered: false }
    this.#open.push(response)
    this.#steered.delete(asked.lane)
    return response
  }

  /**
   * The response from which its vendor goes on with this one, which nobody asked for
   * (https://developers.openai.com/api/docs/guides/steering); undefined where it has another beginning.
   */
  steeredBefore({ lane, previous }: ResponseMark & { previous: string | null }) {
    const before = this.#steered.get(lane)
    return before && (previous === null || previous === before.id) ? before : undefined
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
    if (response.isSteered && !hasFailed) this.#steered.set(response.lane, response)
    // With its last response goes a connection that had any.
    if (this.#open.length === 0) this.#left.clear()
  }

  /** All of them, taken out. */
  takeAll(): OpenResponse[] {
    const all = this.#open
    this.#open = []
    this.#left.clear()
    this.#steered.clear()
    return all
  }
}
