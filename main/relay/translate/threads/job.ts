import type { ErrorCode, ErrorDetails } from '../../../base/errors.ts'
import type { Usage } from '../../../convert/exchange.ts'
import type { LossEntry } from '../../../convert/loss.ts'
import type { RenamedTools } from '../../../convert/tools/fit-tools.ts'
import type { Channel } from '../../../store/records/channels.ts'
import type { CacheBooking } from '../../explicit-cache/cache-booking.ts'
import type { CachePlan } from '../../explicit-cache/cache-plan.ts'
import type { ReasoningSnapshot } from '../../memory/reasoning-memory.ts'
import type { AnsweredCall } from '../answer-translation.ts'
import type { AskedCall, Destination } from '../translate-request.ts'

/** A request that another thread is to translate; everything in it can be cloned. */
export interface RequestJob {
  kind: 'request'
  id: number
  /** The client's body; its memory goes over to the other thread. */
  bytes: Uint8Array<ArrayBuffer>
  call: Omit<AskedCall, 'body'>
  to: Destination
  /** Overrides of the channel's owner in the body. */
  channel: Pick<Channel, 'name' | 'modelMapping' | 'paramOverride'>
  /** Whose memory it draws on, and the thoughts that are remembered there. */
  owner: string
  reasoning: ReasoningSnapshot
}

/** Fields that could not be carried. */
interface Losses {
  entries: readonly LossEntry[]
  uncounted: number
}

/** Its result. */
export interface RequestDone {
  kind: 'request'
  id: number
  /** The upstream's body; null where files have to be fetched first, which is for the gateway's own thread. */
  body: Uint8Array<ArrayBuffer> | null
  /** How that can be split into a cache and the rest; null where it is sent whole. */
  plan: CachePlan | null
  losses: Losses
  /** JSON of the client's request, as far as an answer repeats it. */
  asked: string
  /** JSON of the turns as sent, where they are to be remembered with the answer; else empty. */
  turns: string
  store: boolean | undefined
  renamed: RenamedTools | null
  callIds: readonly string[]
  estimatedInput: number
}

/** A whole answer that another thread is to translate. */
export interface AnswerJob {
  kind: 'answer'
  id: number
  /** The upstream's body, of JSON or of events; its memory goes over to the other thread. */
  bytes: Uint8Array<ArrayBuffer>
  isEvents: boolean
  call: AnsweredCall
  from: Pick<Destination, 'format' | 'model'>
  /** JSON of the client's request, as far as an answer repeats it. */
  asked: string
  store: boolean | undefined
  renamed: RenamedTools | null
  callIds: readonly string[]
  estimatedInput: number
  cacheBooking: CacheBooking | null
}

/** Its result. */
export interface AnswerDone {
  kind: 'answer'
  id: number
  /** The client's body. */
  body: Uint8Array<ArrayBuffer>
  usage: Usage
  /** The vendor told none. */
  isEstimated: boolean
  /** The part that a later turn needs; null = none. */
  kept: KeptAnswer | null
  losses: Losses
}

/** Long texts go beside, as they are: JSON of them would hold up its reader. */
export interface KeptAnswer {
  /** JSON of the answer's parts, those of text without it. */
  parts: string
  /** By the part's index. */
  texts: ReadonlyMap<number, string>
  /** The answer's id for its client. */
  answerId: string | null
}

export type Job = RequestJob | AnswerJob
export type Done = RequestDone | AnswerDone

/** Why there is nothing: the GatewayError in parts, or what else was thrown. */
export interface JobFailed {
  id: number
  failure: (ErrorDetails & { code: ErrorCode }) | { stack: string }
}

export type JobResult = Done | JobFailed
