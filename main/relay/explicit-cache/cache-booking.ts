import type { Usage } from '../../convert/exchange.ts'
import { sumUsage } from '../../convert/other/sum-usage.ts'

/** One call's share in the cost of the cache that it names. */
export interface CacheBooking {
  /** Tokens that were written; 0 where the cache was there. */
  written: number
  /** Tokens times hours for which they are kept from now on. */
  tokenHours: number
}

/**
 * The usage of a call with what its cache cost. Google bills what is written at the price of input, and what the call
 * then reads of it once more (https://docs.cloud.google.com/vertex-ai/generative-ai/docs/context-cache/context-cache-overview);
 * a client is told the same tokens once, as written.
 */
export function withCacheBooking(usage: Usage, booking: CacheBooking | null): Usage {
  if (!booking) return usage
  const { written, tokenHours } = booking
  if (written === 0 && tokenHours === 0) return usage
  const read = Math.min(usage.cachedInput, written)
  return {
    ...usage,
    input: Math.max(usage.input, written),
    cachedInput: usage.cachedInput - read,
    cacheWrite: usage.cacheWrite + written,
    detail: {
      ...usage.detail,
      ...(read > 0 ? { cacheWriteRead: read } : {}),
      ...(tokenHours > 0 ? { cacheStorage: tokenHours } : {}),
    },
  }
}

const NOTHING: CacheBooking = { written: 0, tokenHours: 0 }
const NO_USAGE: Usage = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }

const sum = (one: CacheBooking, other: CacheBooking): CacheBooking => ({
  written: one.written + other.written,
  tokenHours: one.tokenHours + other.tokenHours,
})

/** Caches bought for a call, at all channels that it was sent to. */
export class CachePurchases {
  #current = NOTHING
  #others = NOTHING

  /** Booking of the cache that the call names now. */
  get current(): CacheBooking {
    return this.#current
  }

  add(booking: CacheBooking): void {
    this.#current = sum(this.#current, booking)
  }

  /** The call goes on without the cache, or at another channel; the cache was bought all the same. */
  leave(): void {
    this.#others = sum(this.#others, this.#current)
    this.#current = NOTHING
  }

  /**
   * The usage with all that was bought: an answer's tells of its own cache already, that of a failed or cut one does
   * not. Null where nothing was used and nothing bought.
   */
  addedTo(usage: Usage | null): Usage | null {
    const isTold = usage?.detail?.cacheStorage !== undefined
    const own = isTold ? NOTHING : this.#current
    const bought = [usage ? NOTHING : own, this.#others].reduce(sum)
    return sumUsage([
      usage && withCacheBooking(usage, own),
      bought.tokenHours > 0 ? withCacheBooking(NO_USAGE, bought) : null,
    ])
  }
}
