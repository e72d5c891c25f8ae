import type { Adaptor, ChannelTarget } from '../../adaptor/adaptor.ts'
import {
  type LossNote,
  type LossReason,
  lossReason,
  lossText,
} from '../../base/sentences/loss-notes.ts'
import { traitsOf } from '../../convert/codecs.ts'
import type { WireFormat } from '../../convert/exchange.ts'
import type { Loss } from '../../convert/loss.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { Call } from '../call/call.ts'
import { type ConnectionServices, connectionOf } from '../channel/channel-connection.ts'
import { JSON_TYPE, outgoingHeaders } from '../channel/outgoing-headers.ts'
import type { Refusal } from '../failure/failure.ts'
import { modelFacts } from '../pricing/model-facts.ts'
import type { CacheBooking } from './cache-booking.ts'
import { CachePlace } from './cache-place.ts'
import { bodyBesideCache, type CachePlan } from './cache-plan.ts'
import type { CachedContents, CacheOutcome } from './cached-contents.ts'

/** The fewest tokens of a cache, of a model for which no more is known: https://ai.google.dev/gemini-api/docs/caching */
const LEAST_TOKENS = 1024

/** The log's `explicit_cache` of a call (names of the wire). */
export interface CacheNote {
  action: 'made' | 'used' | 'none'
  /** Tokens that the cache holds, and how many were written for this call. */
  tokens?: number
  /** Seconds for which it is kept from its last use on. */
  ttl?: number
  /** It was kept for longer, since this call used it. */
  extended?: true
  /** Why no cache was used, in English and by code. */
  why?: string
  reason?: LossReason
}

/** Where a call goes. */
interface Place {
  channel: Channel
  adaptor: Adaptor
  target: ChannelTarget
  upstreamModel: string
}

type Found = Extract<CacheOutcome, { border: number }>

/** The cache that a call names. */
export class CacheUse {
  /** The body to send beside the cache. */
  readonly body: Buffer
  readonly note: CacheNote
  readonly #caches: CachedContents
  readonly #found: Found
  readonly #plan: CachePlan
  readonly #loss: Loss

  constructor(bytes: Buffer, plan: CachePlan, found: Found, loss: Loss, caches: CachedContents) {
    const { cache, border, isNew } = found
    const used = plan.borders[border]
    if (!used) throw new Error('a cache ends at one of its plan’s borders')
    this.body = bodyBesideCache(bytes, plan, used, cache.name)
    this.note = { action: isNew ? 'made' : 'used', tokens: cache.tokens, ttl: plan.ttl }
    this.#caches = caches
    this.#found = found
    this.#plan = plan
    this.#loss = loss
  }

  /** Is this a refusal because Google does not have the cache, so that the whole prompt has to be sent? */
  isGone({ status, body }: Refusal): boolean {
    // For an expired one it has said all of them; a 400 may be about anything else.
    return status === 403 || status === 404 || (status === 400 && /cache/i.test(body.toString()))
  }

  /** The cache is gone: nothing of it is to be told or used any more. */
  giveUp(): void {
    this.#caches.forget(this.#found.cache, this.#found.isNew)
    Object.assign(this.note, {
      ...noteUnused(this.#plan, 'cache_gone', this.#loss),
      ...{ tokens: undefined, ttl: undefined },
    })
  }

  /** The cost of the cache that is in no row yet; it is this call's from now on, however the call ends. */
  buy(): CacheBooking {
    return this.#found.cache.takePurchase()
  }

  /** The same once it is known whether the cache is kept for longer, since this call uses it. */
  async buyRest(): Promise<CacheBooking> {
    if (await this.#found.extending) this.note.extended = true
    return this.buy()
  }
}

function noteUnused({ marks }: CachePlan, why: LossNote, loss: Loss): CacheNote {
  for (const { path } of marks) loss.drop(path, why)
  return { action: 'none', why: lossText(why), reason: lossReason(why) }
}

/** Marks behind the cache that was used, with why. */
function noteBeyond({ marks }: CachePlan, used: number, loss: Loss): void {
  for (const { path, border, isEarlier } of marks) {
    if (border === -1) loss.drop(path, 'nothing_before_mark')
    else if (border > used) {
      loss.approximate(path, 'shorter_prefix_used')
    } else if (isEarlier && border === used) {
      loss.approximate(path, 'cached_to_earlier_turn')
    }
  }
}

/** May caches be made for this call's marks? Who asks in the upstream's own format names caches himself. */
export const mayCache = (
  { format, verb }: Call,
  { settings }: Channel,
  { cachedContents }: Adaptor,
  to: WireFormat,
): boolean =>
  settings.explicit_caching === true &&
  cachedContents !== undefined &&
  traitsOf(to).cacheField !== undefined &&
  format !== to &&
  verb === 'generate'

/** The stores that caches are found and made with. */
export interface CacheServices extends ConnectionServices {
  cachedContents: CachedContents
}

/**
 * The cache of a body's beginning, where the request's marks ask for one, or the note that says why there is none. It
 * is found or made, which may take a call to Google. Marks that it does not serve are noted as lost. Throws only the
 * reason that the call was cancelled with.
 */
export async function cacheFor(
  call: Call,
  place: Place,
  bytes: Buffer,
  plan: CachePlan,
  loss: Loss,
  services: CacheServices,
): Promise<CacheUse | CacheNote> {
  const { cachedContents } = services
  const { channel, adaptor, target, upstreamModel } = place
  const collection = adaptor.cachedContents?.(target)
  if (!collection) throw new Error('only vendors that keep caches are asked for one')
  const { url, headers } = collection
  const reach = new CachePlace({
    ...connectionOf(channel, url, services),
    ...{ channelId: channel.id, key: target.key, model: upstreamModel, url },
    // Several callers share a cache, so that no header of one of them goes along.
    headers: outgoingHeaders({ ...call, headers: {} }, place, headers, JSON_TYPE, false),
  })
  const least = modelFacts(upstreamModel).cacheMinimum ?? LEAST_TOKENS
  const outcome = await cachedContents.outcome(reach, bytes, plan, least, call.cancellation)
  if (call.cancellation.reason) throw call.cancellation.reason
  if (outcome.cache === null) {
    return noteUnused(plan, outcome.why, loss)
  }
  noteBeyond(plan, outcome.border, loss)
  return new CacheUse(bytes, plan, outcome, loss, cachedContents)
}
