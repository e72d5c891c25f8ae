import type { Usage } from '../../convert/exchange.ts'
import { pricedTier } from '../../convert/other/priced-tier.ts'
import { priceOf } from '../../relay/pricing/model-price.ts'
import { quotaOf } from '../../relay/pricing/price.ts'
import type { StoredCall } from '../../store/ledger/ledger.ts'
import type { Settings } from '../../store/state/settings.ts'
import { otherOf } from './session-rows.ts'

const count = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise

/** Units that a call cost more since so many tokens were not in the cache; null where they have no price. */
export function missCost(
  row: StoredCall,
  missed: number,
  settings: Readonly<Settings>,
): number | null {
  const price = priceOf(row.model, settings)
  if (!price?.tokens) return null
  const other = otherOf(row)
  const factor = count(other.group_ratio, 1) * count(other.peak_factor, 1)
  const cacheWrite = count(other.cache_creation_tokens, 0)
  const cacheWrite1h = count(other.cache_creation_tokens_1h, 0)
  const cacheWrite12h = count(other.cache_creation_tokens_12h, 0)
  // Those that were missed were mostly written into the cache anew.
  const written = Math.min(missed, cacheWrite)
  const usage: Usage = {
    ...{ input: row.promptTokens, cachedInput: row.cachedTokens, cacheWrite },
    ...{ output: row.completionTokens, reasoning: 0, ...pricedTier(other.service_tier) },
    detail: { cacheWrite1h, cacheWrite12h },
  }
  const hit: Usage = {
    ...usage,
    cachedInput: row.cachedTokens + missed,
    cacheWrite: cacheWrite - written,
    detail: {
      cacheWrite1h: Math.min(cacheWrite1h, cacheWrite - written),
      cacheWrite12h: Math.min(cacheWrite12h, cacheWrite - written),
    },
  }
  const [paid, possible] = [quotaOf(price, usage, factor), quotaOf(price, hit, factor)]
  return paid === null || possible === null ? null : Math.max(0, paid - possible)
}
