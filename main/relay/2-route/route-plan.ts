import type { Channel } from '../../store/records/channels.ts'
import type { Call } from '../call/call.ts'
import type { ChannelKey } from '../channel/channel-keys.ts'

/** The channel of those that were told to wait which may be asked first again. */
export interface Limited {
  channel: Channel
  /** `performance.now()` from which on it may be asked. */
  until: number
  /** The vendor's sentence. */
  reason: string
}

/** The next thing to do for a call. */
export type Step =
  | { kind: 'ask'; channel: Channel; call: Call }
  /** Then the route is asked again. */
  | { kind: 'wait'; milliseconds: number }
  /** No channel is left; `limited` where there is one whose vendor asked for a longer pause. */
  | { kind: 'none'; limited: Limited | null }

/** The channels to try for a call, one after the other. */
export interface RoutePlan {
  /** The call, as it may come to be asked: under a route by each target's model. */
  readonly calls: readonly Call[]
  /** The next step. `left`: milliseconds for a wait or another attempt. */
  next(left: number): Step
  /** Another channel is left that is not cooling down. */
  readonly hasOther: boolean
  /** The channel that was just asked once more, where only its key is to blame and another of its keys is well; else null. */
  nextKey(channel: Channel, failed: ChannelKey): Step | null
  /** Passes over what is left of the present target; false where none comes after it. */
  nextTarget(): boolean
  /** Which keys of a channel to prefer now; undefined where it is all the same. */
  keyFilter(channel: Channel): ((key: ChannelKey) => boolean) | undefined
  /** A channel has answered with a key: that is where the conversation goes on. */
  answered(channel: Channel, key: ChannelKey): void
  /** A call that goes on from this answer by its id has to come to the channel that gave it. */
  keepAfter(answer: { readonly beginning: readonly Buffer[] }): void
}

/** How far a call has come, which the targets of a route share. */
export interface Progress {
  /** The last place in the order. */
  place: number
  /** Milliseconds that it has been told to wait. */
  waited: number
  /** Channel and model of each attempt; null where there is one target, which asks no channel twice anyway. */
  readonly asked: Set<string> | null
}

/** What rests: the one to ask or to wait for first, and the one that is passed over for its vendor's wish. */
export interface CoolingDown {
  next: { channel: Channel; until: number; wait: number; patience: number } | null
  limited: Limited | null
}
