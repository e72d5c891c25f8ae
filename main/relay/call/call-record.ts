import type { GatewayError } from '../../base/errors.ts'
import type { CallFormat } from '../../convert/call-format.ts'
import type { Usage } from '../../convert/exchange.ts'
import type { LossEntry } from '../../convert/loss.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { WatchedAttempt } from '../4-attempt/watched-attempt.ts'
import type { CachePurchases } from '../explicit-cache/cache-booking.ts'
import type { CacheNote } from '../explicit-cache/cache-use.ts'
import type { Hold } from '../limits/reserve.ts'
import type { RateShare } from '../limits/token-rate.ts'
import type { RouteNote } from './route-note.ts'

/** Usage of one of these models, charged by the dearest. */
export interface UsageBeside {
  models: readonly string[]
  usage: Usage
}

/** What is found out about a call on its way, for the one ledger row at its end. */
export class Meter {
  readonly #book: (meter: Meter) => Promise<void>
  #booked: Promise<void> | null = null
  /** Ids of the channels tried, in order. */
  readonly tried: number[] = []
  channel: Channel | null = null
  /** Which channels there were, in which order, and what came of each attempt. */
  readonly route: RouteNote = { candidates: [], attempts: [] }
  /** Which key of a channel with several was used, from 0; null where the channel has one. */
  keyIndex: number | null = null
  upstreamModel: string | null = null
  /** Of a call that names several models: by which of them its answer is charged, the dearest; else null. */
  answeredModels: readonly string[] | null = null
  upstreamRequestId: string | null = null
  /** Set where the upstream was called in another wire format than the client's. */
  conversion: { format: CallFormat; losses: readonly LossEntry[] } | null = null
  /** What became of the request's cache marks at the vendor; null where nothing was to become of any. */
  cache: CacheNote | null = null
  /** What was bought of caches for this call; null where it named none. */
  purchases: CachePurchases | null = null
  usage: Usage | null = null
  /** What other models used beside the call's own, which is charged apart: those that transcribe in a session. */
  beside: UsageBeside | null = null
  /** What the vendor has reported of it so far, of an answer that is under way. */
  usageSoFar: (() => Usage | null) | null = null
  /** Part of the usage was counted from the bytes, not reported by the vendor. */
  isEstimated = false
  /** Milliseconds from the call's arrival to the first byte of its answer; null if none came. */
  firstByteAfter: number | null = null
  /** HTTP status that the client saw, 499 when it had left. */
  status = 200
  /** Why the call failed, or null. */
  failure: { message: string; code: string } | null = null
  /** Further facts for the log's `other` column, by their names there. */
  readonly extra: Record<string, unknown> = {}
  /** What is held back of the caller's quota until the call is booked. */
  hold: Hold | null = null
  /** Its share in what its token may use in a minute; null where that has no limit. */
  rate: RateShare | null = null
  /** Counts among the calls under way. */
  hasSlot = false
  /** What the client is told of its budgets, which are nearly used up; null where they are not. */
  budgetNote: string | null = null
  /** Ends the answer that is being streamed; set while there is one. */
  interruptStream: ((error: GatewayError) => void) | null = null
  /**
   * Told when the answer that has begun comes to no good end, whoever is to blame; `hasBegun` false: a connection was
   * there for it, and no word of it.
   */
  onCut: ((error: GatewayError, hasBegun?: boolean) => void) | null = null
  /** Of a response on a connection that was there already: its try at that upstream. */
  attempt: WatchedAttempt | null = null

  constructor(book: (meter: Meter) => Promise<void>) {
    this.#book = book
  }

  /** Writes the row, the first time it is called; resolves when the row is safe. */
  settle(): Promise<void> {
    this.attempt?.release()
    this.#booked ??= this.#book(this)
    return this.#booked
  }

  fail(error: GatewayError): void {
    this.failure = { message: error.message, code: error.code }
  }
}
