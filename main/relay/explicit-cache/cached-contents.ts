import { Cancellation } from '../../base/cancellation.ts'
import { GatewayError } from '../../base/errors.ts'
import type { LossNote } from '../../base/sentences/loss-notes.ts'
import type { Channels } from '../../store/records/channels.ts'
import { type CachePlace, CacheRefusal, type ListedCache } from './cache-place.ts'
import { type CacheBorder, type CachePlan, cacheBody } from './cache-plan.ts'

/** Caches, refusals and places that are remembered; the oldest make room. */
const MOST = 1000
/** A cache that ends sooner, in milliseconds, may be gone when the call arrives. */
const MARGIN = 10_000
/** Milliseconds for which a prompt that Google refused is not offered again. */
const REFUSED_FOR = 10 * 60_000
/** Milliseconds for which no cache is made where making one failed for another reason than the prompt. */
const FAILED_FOR = 60_000
/**
 * A longer prefix gets a cache of its own when it has become so many times as long. To write a cache costs the whole
 * prefix once more: at each turn anew that would cost more than no cache does. Doubling keeps all that is ever
 * written below twice the conversation's length.
 */
const GROWTH = 2

/** Bought for a cache, and in no call's row yet. */
export interface CachePurchase {
  /** Tokens that were written. */
  written: number
  /** Tokens times hours for which they are kept. */
  tokenHours: number
}

/** A cache at Google that calls can name. */
export class OwnCache {
  readonly place: CachePlace
  readonly name: string
  readonly tokens: number
  readonly hasTurns: boolean
  readonly digest: string
  /** Milliseconds since 1970. */
  expiresAt: number
  #purchase: CachePurchase = { written: 0, tokenHours: 0 }

  constructor(place: CachePlace, { digest, tokens, hasTurns }: CacheBorder, listed: ListedCache) {
    this.place = place
    this.digest = digest
    this.hasTurns = hasTurns
    this.name = listed.name
    this.tokens = listed.tokens ?? tokens
    this.expiresAt = listed.expiresAt
  }

  get isAlive(): boolean {
    return this.expiresAt - Date.now() > MARGIN
  }

  /** Notes that it was written, and is kept for so many seconds. */
  wasWritten(seconds: number): void {
    this.#purchase.written += this.tokens
    this.wasKept(seconds)
  }

  /** Notes that it is kept for so many seconds more. */
  wasKept(seconds: number): void {
    this.#purchase.tokenHours += (this.tokens * seconds) / 3600
  }

  /** In no row yet; the call that takes it books it. */
  takePurchase(): CachePurchase {
    const purchase = this.#purchase
    this.#purchase = { written: 0, tokenHours: 0 }
    return purchase
  }
}

/** The cache that a call can name, or why there is none. */
export type CacheOutcome =
  | { cache: OwnCache; border: number; isNew: boolean; extending: Promise<boolean> | null }
  | { cache: null; why: LossNote }

interface Making {
  cache: Promise<OwnCache>
  cancellation: Cancellation
  /** Calls that wait for it. */
  waiting: number
}

/** Puts an entry last, and drops the first beyond the limit. */
function remember<Value>(map: Map<string, Value>, key: string, value: Value): Value | undefined {
  map.delete(key)
  map.set(key, value)
  if (map.size <= MOST) return undefined
  const [first] = map.keys()
  const dropped = map.get(first as string)
  map.delete(first as string)
  return dropped
}

const reasonOf = ({ status, message: said }: CacheRefusal) =>
  status === null
    ? ({ code: 'google_unreached', said } as const)
    : ({ code: 'google_answered', status, said } as const)

/**
 * The caches that the gateway has made at Google, by key and prompt. They are kept in memory; those of an earlier run
 * are found again by their names, which hold the prompt's digest, when a key is first used. When the gateway stops
 * they stay, for the next run: each ends by itself within an hour.
 */
export class CachedContents {
  readonly #caches = new Map<string, OwnCache>()
  readonly #making = new Map<string, Making>()
  /** Why no cache is made for a prompt or at a place, and until when (milliseconds since 1970). */
  readonly #refused = new Map<string, { until: number; why: LossNote }>()
  /** The fewest tokens that a model's cache may have, as Google told. */
  readonly #minimum = new Map<string, number>()
  /** Caches of earlier runs, by place. */
  readonly #found = new Map<string, Promise<Map<string, ListedCache>>>()

  /**
   * The cache for a call: one that is there, or a new one where none of its prefixes has one yet. Calls at the same
   * time with the same prefix share what one of them makes. Throws only what the call was cancelled with.
   */
  async outcome(
    place: CachePlace,
    bytes: Buffer,
    plan: CachePlan,
    leastTokens: number,
    cancellation: Cancellation,
  ): Promise<CacheOutcome> {
    const { borders } = plan
    const wanted = borders.at(-1)
    if (!wanted) return { cache: null, why: 'nothing_before_mark' }
    const found = await this.#earlierRun(place)
    const index = borders.findLastIndex((one) => this.#existing(place, one, found) !== undefined)
    const border = borders[index]
    const existing = border && this.#existing(place, border, found)
    const isFarBehind = existing && wanted.tokens >= GROWTH * (border?.tokens ?? 0)
    if (existing && (border === wanted || !isFarBehind)) {
      return {
        cache: existing,
        border: index,
        isNew: false,
        extending: this.#extend(existing, plan),
      }
    }
    const why = this.#objection(place, wanted, leastTokens)
    if (why === null) {
      const made = await this.#made(place, bytes, plan, wanted, cancellation)
      if ('cache' in made) {
        // Content before all turns is used by other conversations as well.
        if (existing?.hasTurns) this.#end(existing)
        return { ...made, border: borders.length - 1, extending: null }
      }
      if (!existing) return { cache: null, why: made.why }
    } else if (!existing) return { cache: null, why }
    return { cache: existing, border: index, isNew: false, extending: this.#extend(existing, plan) }
  }

  /** Google does not know it any more. One that was refused when it was new would be paid for anew with each call. */
  forget(cache: OwnCache, isNew: boolean): void {
    const { place, digest } = cache
    const key = keyOf(place, digest)
    this.#caches.delete(key)
    this.#found.delete(place.id)
    if (!isNew) return
    this.#end(cache)
    const until = Date.now() + REFUSED_FOR
    remember(this.#refused, key, { until, why: 'cache_refused_at_first' })
  }

  /** Ends the caches whose channel is gone, or has another key, or makes no more of them. */
  followChannels({ byId }: Pick<Channels, 'byId'>): void {
    for (const cache of this.#caches.values()) {
      const channel = byId(cache.place.channelId)
      const isKept =
        channel?.settings.explicit_caching === true && channel.key.includes(cache.place.key)
      if (!isKept) this.#end(cache)
    }
  }

  #existing(
    place: CachePlace,
    border: CacheBorder,
    found: Map<string, ListedCache>,
  ): OwnCache | undefined {
    const key = keyOf(place, border.digest)
    let cache = this.#caches.get(key)
    const listed = cache ? undefined : found.get(border.digest)
    if (listed) {
      found.delete(border.digest)
      cache = new OwnCache(place, border, listed)
      this.#keep(key, cache)
    }
    if (cache?.isAlive) return cache
    if (cache) this.#caches.delete(key)
    return undefined
  }

  #keep(key: string, cache: OwnCache): void {
    const dropped = remember(this.#caches, key, cache)
    if (dropped) this.#end(dropped)
  }

  /** Asked once for each key: what cannot be listed is made anew. */
  #earlierRun(place: CachePlace): Promise<Map<string, ListedCache>> {
    let found = this.#found.get(place.id)
    if (!found) {
      found = place.list().then(
        (caches) => new Map(caches.map((cache) => [cache.digest, cache])),
        () => new Map(),
      )
      remember(this.#found, place.id, found)
    }
    return found
  }

  /** Why no cache is made; null where one may be. */
  #objection(place: CachePlace, { digest, tokens }: CacheBorder, least: number): LossNote | null {
    const minimum = this.#minimum.get(`${place.id} ${place.model}`) ?? least
    if (tokens < minimum) {
      return { code: 'prompt_below_minimum', tokens, least: minimum }
    }
    for (const key of [keyOf(place, digest), `${place.id} ${place.model}`]) {
      const refused = this.#refused.get(key)
      if (refused && refused.until > Date.now()) return refused.why
    }
    return null
  }

  /** A cache that was made for this call or, just now, for another; or why there is none. */
  async #made(
    place: CachePlace,
    bytes: Buffer,
    plan: CachePlan,
    border: CacheBorder,
    cancellation: Cancellation,
  ): Promise<{ cache: OwnCache; isNew: boolean } | { why: LossNote }> {
    const key = keyOf(place, border.digest)
    let making = this.#making.get(key)
    const isNew = making === undefined
    if (!making) {
      const own = new Cancellation()
      const cache = this.#make(place, bytes, plan, border, own)
      making = { cache, cancellation: own, waiting: 0 }
      this.#making.set(key, making)
      const done = () => this.#making.delete(key)
      cache.then(done, done)
    }
    const left = new Promise<never>((_, reject) => cancellation.listen(reject))
    making.waiting++
    try {
      return { cache: await Promise.race([making.cache, left]), isNew }
    } catch (error) {
      if (error instanceof CacheRefusal) return { why: reasonOf(error) }
      throw error
    } finally {
      cancellation.listen(null)
      making.waiting--
      const isUnderWay = this.#making.get(key) === making
      if (isUnderWay && making.waiting === 0) making.cancellation.cancel(nobodyWaits())
    }
  }

  async #make(
    place: CachePlace,
    bytes: Buffer,
    plan: CachePlan,
    border: CacheBorder,
    cancellation: Cancellation,
  ): Promise<OwnCache> {
    const body = cacheBody(bytes, plan, border, place.head(border.digest, plan.ttl))
    try {
      const listed = await place.create(body, cancellation)
      // By our own clock, as it is asked: Google's may be another.
      const expiresAt = Date.now() + plan.ttl * 1000
      const cache = new OwnCache(place, border, { ...listed, expiresAt })
      cache.wasWritten(plan.ttl)
      this.#keep(keyOf(place, border.digest), cache)
      return cache
    } catch (error) {
      if (error instanceof CacheRefusal) this.#noteRefusal(place, border, error)
      throw error
    }
  }

  #noteRefusal(place: CachePlace, { digest }: CacheBorder, error: CacheRefusal): void {
    const model = `${place.id} ${place.model}`
    if (error.minimum !== null) remember(this.#minimum, model, error.minimum)
    const isPrompts = error.status === 400
    const until = Date.now() + (isPrompts ? REFUSED_FOR : FAILED_FOR)
    const why: LossNote = { code: 'no_cache_made', why: reasonOf(error) }
    remember(this.#refused, isPrompts ? keyOf(place, digest) : model, { until, why })
  }

  /** As Anthropic's, a cache lasts from its last use on. Resolves when it is known whether it does. */
  #extend(cache: OwnCache, { ttl }: CachePlan): Promise<boolean> | null {
    const before = cache.expiresAt
    const until = Date.now() + ttl * 1000
    if (before - Date.now() > (ttl * 1000) / 2) return null
    // Other calls need not ask as well.
    cache.expiresAt = until
    return cache.place.extend(cache.name, ttl).then(
      () => {
        cache.wasKept((until - before) / 1000)
        return true
      },
      () => {
        cache.expiresAt = before
        return false
      },
    )
  }

  /** Nobody waits for it: what Google does not delete now ends by itself. */
  #end(cache: OwnCache): void {
    this.#caches.delete(keyOf(cache.place, cache.digest))
    cache.place.remove(cache.name).catch(() => undefined)
  }
}

const keyOf = ({ id }: CachePlace, digest: string): string => `${id} ${digest}`

const nobodyWaits = () =>
  new GatewayError('client_gone', { message: 'No call waits for this cache any more.' })
