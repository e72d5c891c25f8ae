import { MAX_QUOTA, UNITS_PER_USD } from '../base/quota.ts'
import type { Usage } from '../convert/exchange.ts'
import type { Settings } from '../store/settings.ts'

/** Anthropic's and OpenAI's common price of a five-minute cache write, against plain input. */
const CACHE_WRITE_RATIO = 1.25

/**
 * What a call costs in quota units (management-api §13.3): by the call where the model has a
 * `ModelPrice` in dollars, else by the token, where ratio 1 is one unit a token. Null when the model has
 * no price: unpriced is not free.
 */
export function quotaOf(
  model: string,
  usage: Usage,
  group: string,
  settings: Readonly<Settings>,
): number | null {
  const groupRatio = settings.GroupRatio[group] ?? 1
  const price = settings.ModelPrice[model]
  if (price !== undefined) return units(price * UNITS_PER_USD * groupRatio)
  const ratio = settings.ModelRatio[model]
  if (ratio === undefined) return null
  const plain = Math.max(0, usage.input - usage.cachedInput - usage.cacheWrite)
  const weighted =
    plain +
    usage.cachedInput * (settings.CacheRatio[model] ?? 1) +
    usage.cacheWrite * (settings.CreateCacheRatio[model] ?? CACHE_WRITE_RATIO) +
    usage.output * (settings.CompletionRatio[model] ?? 1)
  const quota = units(weighted * ratio * groupRatio)
  // What has a price is never free because it was short.
  return quota === 0 && weighted > 0 && ratio * groupRatio > 0 ? 1 : quota
}

const units = (value: number): number =>
  Number.isFinite(value) ? Math.min(MAX_QUOTA, Math.max(0, Math.round(value))) : MAX_QUOTA
