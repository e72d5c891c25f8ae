import type { Reason } from '../../base/reason.ts'
import type { LossEntry } from '../../convert/loss.ts'

/** A channel that might have served a call, as the log keeps it in `admin_info.route` (names of the wire). */
export interface CandidateNote {
  id: number
  name: string
  /** The target's model, under a route. */
  model?: string
  priority: number
  weight: number
  /** Its place in the order, from 1; left out where it was not to be asked. */
  place?: number
  /** It needs no conversion. Left out where it does. */
  native?: true
  /**
   * Why it stands where it does, or was left out; left out for the draw by weight among equals. `open`, `half-open`:
   * its circuit, with a probe of another call under way in the latter; rows of older versions say `cooling` and `trial`.
   */
  why?:
    | 'pinned'
    | 'affinity'
    | 'only'
    | 'open'
    | 'half-open'
    | 'rate_limited'
    | 'not_in_group'
    | 'format'
  /** Milliseconds since 1970 at which its cooldown ends. */
  until?: number
  /** Why it is cooling down. */
  reason?: string
  /** The same by code; left out where it's a vendor's sentence. */
  coded?: Reason
}

/** One try at a channel. */
export interface AttemptNote {
  channel: number
  /** The target's model, under a route. */
  model?: string
  /** Index of the key used, from 0, if the channel has several. */
  key?: number
  /** Milliseconds from the call's arrival to the attempt's beginning. */
  at: number
  /** Milliseconds until its answer began, or it failed. */
  ms: number
  /** The upstream's HTTP status; left out where none came. */
  status?: number
  /** Code of the failure; left out for an answer. */
  code?: string
  /** The vendor's or the gateway's sentence of the failure, at most 300 characters, without keys. */
  message?: string
  /** The message by code; left out where it's a vendor's. */
  reason?: Reason
  /** Of a failure: what its conversion lost; left out where nothing was. Of an answer the row itself has them. */
  loss?: readonly LossEntry[]
  /** Milliseconds that were waited before it for a cooldown to end. */
  waited?: number
  /** After a failure: the next channel was tried, or the reason why none was. */
  after?:
    | 'next'
    | 'final'
    | 'no_more_tries'
    | 'no_more_channels'
    | 'no_more_time'
    | 'begun'
    | 'client_gone'
    | 'stopped'
}

/** How a call found its channel, as the log keeps it in `admin_info.route`. */
export interface RouteNote {
  /** The route that the client asked for, and the rule of it that chose; no rule where its own targets were taken. */
  named?: { name: string; rule?: string; unserved?: string[] }
  candidates: CandidateNote[]
  /** Candidates beyond those that are listed. */
  more?: number
  attempts: AttemptNote[]
  /** Session affinity: the conversation went on where it was, began, or had to leave. */
  affinity?: 'kept' | 'new' | 'left'
}
