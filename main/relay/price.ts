import { MAX_QUOTA, UNITS_PER_USD } from '../base/quota.ts'
import type { Usage, UsageDetail } from '../convert/exchange.ts'
import type { Settings } from '../store/settings.ts'

/** Anthropic's and OpenAI's common price of a five-minute cache write, against plain input. */
const CACHE_WRITE_RATIO = 1.25

type Prices = Readonly<Settings>

/** Tokens by what each costs against plain input; what a vendor reports apart is part of its totals. */
function weightedTokens(model: string, usage: Usage, prices: Prices): number {
  const { inputAudio = 0, inputImage = 0, outputAudio = 0 } = usage.detail ?? {}
  const plain = usage.input - usage.cachedInput - usage.cacheWrite
  const audio = prices.AudioRatio[model] ?? 1
  const image = prices.ImageRatio[model] ?? 1
  const output = prices.CompletionRatio[model] ?? 1
  const spoken = audio * (prices.AudioCompletionRatio[model] ?? output)
  const hasSpoken = model in prices.AudioRatio || model in prices.AudioCompletionRatio
  return (
    Math.max(0, plain) +
    usage.cachedInput * (prices.CacheRatio[model] ?? 1) +
    usage.cacheWrite * (prices.CreateCacheRatio[model] ?? CACHE_WRITE_RATIO) +
    Math.min(inputAudio, usage.input) * (audio - 1) +
    Math.min(inputImage, usage.input) * (image - 1) +
    usage.output * output +
    (hasSpoken ? Math.min(outputAudio, usage.output) * (spoken - output) : 0)
  )
}

/** What was not sold by the token, in dollars; null where the model has no such price, or nothing was counted. */
function unitDollars(model: string, { detail }: Usage, prices: Prices): number | null {
  const price = prices.UnitPrice[model]
  if (!price || !detail) return null
  const counted: readonly [number | undefined, number | undefined][] = [
    [detail.seconds, price.second],
    [detail.characters, price.character],
    [detail.images, price.image],
    [detail.searchUnits, price.search],
  ]
  const sold = counted.filter(([amount, each]) => amount !== undefined && each !== undefined)
  if (sold.length === 0) return null
  return sold.reduce((sum, [amount = 0, each = 0]) => sum + amount * each, 0)
}

const countsUnits = ({ seconds, characters, images, searchUnits }: UsageDetail): boolean =>
  [seconds, characters, images, searchUnits].some((amount) => amount !== undefined)

/**
 * What a call costs in quota units (management-api §13.3): by the call where the model has a
 * `ModelPrice` in dollars (for each image where it made some), else by the token, where ratio 1 is one
 * unit a token, and by what else the vendor counts. Null when the model has no price for what was used:
 * unpriced is not free.
 */
export function quotaOf(model: string, usage: Usage, group: string, prices: Prices): number | null {
  const groupRatio = prices.GroupRatio[group] ?? 1
  const price = prices.ModelPrice[model]
  if (price !== undefined)
    return units(price * (usage.detail?.images ?? 1) * UNITS_PER_USD * groupRatio)
  const ratio = prices.ModelRatio[model]
  const dollars = unitDollars(model, usage, prices)
  if (ratio === undefined && dollars === null) return null
  const weighted = ratio === undefined ? 0 : weightedTokens(model, usage, prices)
  // A price for tokens says nothing of seconds or pictures.
  if (weighted === 0 && dollars === null && usage.detail && countsUnits(usage.detail)) return null
  const exact = (weighted * (ratio ?? 0) + (dollars ?? 0) * UNITS_PER_USD) * groupRatio
  const quota = units(exact)
  // What has a price is never free because it was short.
  return quota === 0 && exact > 0 ? 1 : quota
}

const units = (value: number): number =>
  Number.isFinite(value) ? Math.min(MAX_QUOTA, Math.max(0, Math.round(value))) : MAX_QUOTA
