import type { GatewayError } from '../../base/errors.ts'
import type { Reason } from '../../base/reason.ts'
import type { CallFormat } from '../../convert/call-format.ts'
import type { Usage } from '../../convert/exchange.ts'
import type { LossEntry } from '../../convert/loss.ts'
import type { Channel } from '../../store/records/channels.ts'
import { CachePurchases } from '../explicit-cache/cache-booking.ts'
import type { CacheNote } from '../explicit-cache/cache-use.ts'
import type { Hold } from '../limits/reservations.ts'
import type { RateShare } from '../limits/token-rate.ts'
import type { Call } from './call.ts'
import type { RouteNote } from './route-note.ts'

/** Usage of one of these models, charged by the dearest. */
export interface UsageBeside {
  models: readonly string[]
  usage: Usage
}

/** Losses of a conversion that are kept with an attempt; the rest says nothing new. */
export const STORED_LOSSES = 50

/** One try at a channel, as far as the call's row tells of it. */
export interface AttemptRecord {
  readonly channel: Channel
  /** The call as the channel is asked: under a route by the name of the target's model. */
  readonly call: Call
  /** Another channel is asked if this one begins no answer. */
  hasOther: boolean
  /** Which key of a channel with several was used, from 0; null where the channel has one. */
  keyIndex: number | null
  upstreamModel: string | null
  upstreamRequestId: string | null
  /** Set where the upstream was called in another wire format than the client's. */
  conversion: { format: CallFormat; losses: readonly LossEntry[] } | null
  /** The fate of the request's cache marks at the vendor; null where it has none. */
  cache: CacheNote | null
}

/** All that is known of a call so far, for the one ledger row at its end. */
export class CallRecord {
  readonly #book: (record: CallRecord) => Promise<void>
  #booked: Promise<void> | null = null
  /** Ids of the channels tried, in order. */
  readonly tried: number[] = []
  /** The channels to choose from, in which order, and the outcome of each attempt. */
  readonly route: RouteNote = { candidates: [], attempts: [] }
  /** The attempt whose answer or failure the client is told: the last one, mostly. */
  attempt: AttemptRecord | null = null
  /** If the call names several models, those its answer may be charged by (the dearest counts); else null. */
  answeredModels: readonly string[] | null = null
  /** Caches bought for this call; null where it named none. */
  purchases: CachePurchases | null = null
  usage: Usage | null = null
  /** Usage of other models beside the call's own, which is charged apart: those that transcribe in a session. */
  beside: UsageBeside | null = null
  /** The vendor's report so far, of an answer that is under way. */
  usageSoFar: (() => Usage | null) | null = null
  /** Part of the usage was counted from the bytes, not reported by the vendor. */
  isEstimated = false
  /** The client's answer is a stream. For a multipart call only the answer shows it. */
  isStream: boolean
  /** Milliseconds from the call's arrival to the first byte of its answer; null if none came. */
  firstByteAfter: number | null = null
  /** The same to the first token of a stream: text, reasoning or a tool's arguments; null for an answer in one piece. */
  firstTokenAfter: number | null = null
  /** HTTP status that the client saw, 499 when it had left. */
  status = 200
  /** Why the call failed, or null. */
  failure: { message: string; code: string; reason?: Reason | undefined } | null = null
  /** Further facts for the log's `other` column, by their names there. */
  readonly extra: Record<string, unknown> = {}
  /** Quota that is held back of the caller's until the call is booked. */
  hold: Hold | null = null
  /** Its share in what its token may use in a minute; null where that has no limit. */
  rate: RateShare | null = null
  /** Counts as a running call. */
  hasSlot = false
  /** The client's word on budgets that are nearly used up; null where none is. */
  budgetNote: string | null = null
  /** Ends the answer that is being streamed; set while there is one. */
  interruptStream: ((error: GatewayError) => void) | null = null
  /**
   * Told when the answer that has begun comes to a bad end, no matter who is to blame; `hasBegun` false: a connection was
   * there for it, and no word of it.
   */
  onCut: ((error: GatewayError, hasBegun?: boolean) => void) | null = null
  /** Told once the call is over. */
  onSettled: (() => void) | null = null

  constructor(isStream: boolean, book: (record: CallRecord) => Promise<void>) {
    this.isStream = isStream
    this.#book = book
  }

  get channel(): Channel | null {
    return this.attempt?.channel ?? null
  }

  /** The record of another try, which takes the place of the one before. */
  beginAttempt(channel: Channel, call: Call): AttemptRecord {
    this.tried.push(channel.id)
    this.purchases?.leave()
    this.attempt = {
      channel,
      call,
      hasOther: false,
      keyIndex: null,
      upstreamModel: null,
      upstreamRequestId: null,
      conversion: null,
      cache: null,
    }
    return this.attempt
  }

  cachePurchases(): CachePurchases {
    this.purchases ??= new CachePurchases()
    return this.purchases
  }

  /** Writes the row, the first time it is called; resolves when the row is safe. */
  settle(): Promise<void> {
    this.onSettled?.()
    this.#booked ??= this.#book(this)
    return this.#booked
  }

  fail(error: GatewayError): void {
    this.failure = { message: error.message, code: error.code, reason: error.reason }
  }

  /** The client didn't wait for the end. */
  failAsLeft(): void {
    this.status = 499
    this.failure = {
      message: 'The client left before the end.',
      code: 'client_gone',
      reason: { code: 'client_left_early' },
    }
  }
}
