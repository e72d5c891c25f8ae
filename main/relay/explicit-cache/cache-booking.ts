import type { Usage } from '../../convert/exchange.ts'

/** What one call books of the cache that it names. */
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
