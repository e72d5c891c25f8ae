import { MAX_QUOTA, UNITS_PER_USD } from '../../base/quota.ts'
import type { Usage, UsageDetail } from '../../convert/exchange.ts'
import { DOLLARS_PER_RATIO, type Price, type TokenRates, type UnitPrices } from './model-price.ts'

const MILLION = 1_000_000
/**
 * A cache write that is kept for an hour, against one for five minutes: twice plain input to one and a quarter,
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
const HOUR_WRITE_RATIO = 1.6
/** One for twelve hours, against one for thirty minutes: https://developers.openai.com/api/docs/models/gpt-6.2-sol */
const HALF_DAY_WRITE_RATIO = 2

/** Sound and pictures among the tokens that were neither read from a cache nor written to one. */
function freshMedia(detail: UsageDetail = {}, plain: number): { audio: number; image: number } {
  const { inputAudio = 0, cachedAudio = 0, inputImage = 0, cachedImage = 0 } = detail
  const audio = Math.min(Math.max(0, inputAudio - cachedAudio), plain)
  const image = Math.min(Math.max(0, inputImage - cachedImage), plain - audio)
  return { audio, image }
}

/** Dollars for tokens; what a vendor reports apart is part of its totals. */
function tokenDollars(usage: Usage, rates: TokenRates): number {
  const { outputAudio = 0, outputImage = 0 } = usage.detail ?? {}
  const { cachedInput, cacheWrite, output } = usage
  const plain = Math.max(0, usage.input - cachedInput - cacheWrite)
  const { audio, image } = freshMedia(usage.detail, plain)
  const spoken = Math.min(outputAudio, output)
  const painted = Math.min(outputImage, output - spoken)
  const forAnHour = Math.min(usage.detail?.cacheWrite1h ?? 0, cacheWrite)
  const forHalfADay = Math.min(usage.detail?.cacheWrite12h ?? 0, cacheWrite)
  const written =
    cacheWrite + forAnHour * (HOUR_WRITE_RATIO - 1) + forHalfADay * (HALF_DAY_WRITE_RATIO - 1)
  const perMillion =
    (plain - audio - image) * rates.input +
    audio * rates.audioInput +
    image * rates.imageInput +
    cachedInput * rates.cachedInput +
    written * rates.cacheWrite +
    (usage.detail?.cacheWriteRead ?? 0) * rates.cachedInput +
    (output - spoken - painted) * rates.output +
    spoken * rates.audioOutput +
    painted * rates.imageOutput
  return perMillion / MILLION
}

/** Dollars for units other than tokens; null where the model has no such price, or nothing was counted. */
function unitDollars({ detail }: Usage, units: UnitPrices): number | null {
  if (!detail) return null
  const counted: readonly [number | undefined, number | undefined][] = [
    [detail.seconds, units.second],
    [detail.characters, units.character],
    [detail.images, units.image],
    [detail.searchUnits, units.search],
  ]
  const sold = counted.filter(([amount, each]) => amount !== undefined && each !== undefined)
  if (sold.length === 0) return null
  return sold.reduce((sum, [amount = 0, each = 0]) => sum + amount * each, 0)
}

/**
 * The factor of the tier that answered. OpenAI's `priority` was renamed `fast`
 * (https://openai.com/api-fast-mode/). A tier whose price isn't known is charged as the standard one.
 */
export function tierFactor(
  { tiers }: Pick<Price, 'tiers'>,
  { tier }: Pick<Usage, 'tier'>,
): number | undefined {
  if (!tier) return 1
  return tiers[tier] ?? (tier === 'priority' ? tiers.fast : undefined)
}

const countsUnits = ({ seconds, characters, images, searchUnits }: UsageDetail): boolean =>
  [seconds, characters, images, searchUnits].some((amount) => amount !== undefined)

/** A prompt's length decides; what a compaction read was a prompt of its own. */
const ratesFor = ({ tokens, long }: Price, { input, detail }: Usage): TokenRates | null =>
  long && input - (detail?.compactionInput ?? 0) > long.above ? long.tokens : tokens

/**
 * The cost of a call in quota units (management-api §13.3): by the call where that has a price (for each image
 * where it made some), else by the token and by what else the vendor counts, times the group's factor. Null
 * when there is no price for what was used: unpriced is not free. Never more than MAX_QUOTA.
 */
export function quotaOf(price: Price | null, usage: Usage, factor: number): number | null {
  if (!price) return null
  if (price.call !== null) return units(price.call * (usage.detail?.images ?? 1) * factor)
  const rates = ratesFor(price, usage)
  const sold = unitDollars(usage, price.units)
  if (rates === null && sold === null) return null
  // A price for tokens says nothing of seconds or pictures.
  const hasTokens = usage.input + usage.output > 0
  if (!hasTokens && sold === null && usage.detail && countsUnits(usage.detail)) return null
  const tokens =
    rates && hasTokens ? tokenDollars(usage, rates) * (tierFactor(price, usage) ?? 1) : 0
  const searches = (usage.detail?.webSearches ?? 0) * price.webSearch
  const storage = storageDollars(usage, price) ?? 0
  return units((tokens + (sold ?? 0) + searches + storage + price.request) * factor)
}

/** The cost of keeping the call's cache; null where nothing is kept, or nobody knows. */
function storageDollars({ detail }: Usage, { cacheStorage }: Price): number | null {
  if (!detail?.cacheStorage || cacheStorage === null) return null
  return (detail.cacheStorage * cacheStorage) / MILLION
}

/** Dollars in units; what costs anything costs one at least. */
function units(dollars: number): number {
  // The last digits of a product of fractions must not round half a unit the wrong way.
  const exact = Number((dollars * UNITS_PER_USD).toPrecision(14))
  if (!Number.isFinite(exact)) return MAX_QUOTA
  if (exact <= 0) return 0
  return Math.min(MAX_QUOTA, Math.max(1, Math.round(exact)))
}

/** A quotient as the log and the ratio lists show it, without the noise of floating point. */
export const ratioOf = (part: number, whole: number): number =>
  whole === 0 ? 1 : Number((part / whole).toPrecision(12))

/**
 * The ratios that a call was charged by, under the names of the log's `other` (management-api §9), so that its
 * row still explains itself when prices have changed. `model_price` is -1 where the call itself has no price.
 */
export function priceFacts(price: Price, usage: Usage): Record<string, unknown> {
  const rates = ratesFor(price, usage)
  const { call, source, listed, units: sold, webSearch, request } = price
  const storage = call === null ? storageDollars(usage, price) : null
  const perUnit = Object.entries(sold).filter(([, each]) => each !== undefined)
  return {
    price_source: source,
    ...(listed ? { price_as_of: listed.family.asOf } : {}),
    model_price: call ?? -1,
    ...(rates && call === null ? ratioFacts(rates, usage) : {}),
    ...(rates !== null && rates === price.long?.tokens ? { long_prompt: price.long.above } : {}),
    ...(call === null ? tierFacts(price, usage) : {}),
    ...(request > 0 ? { request_price: request } : {}),
    ...(perUnit.length > 0 ? { unit_price: Object.fromEntries(perUnit) } : {}),
    ...(usage.detail?.webSearches && webSearch > 0 ? { web_search_price: webSearch } : {}),
    ...(storage === null ? {} : { cache_storage_cost: Number(storage.toPrecision(6)) }),
  }
}

/** A null says that the price of the tier isn't known. */
function tierFacts(price: Price, usage: Usage): Record<string, unknown> {
  return usage.tier ? { service_tier_factor: tierFactor(price, usage) ?? null } : {}
}

function ratioFacts(rates: TokenRates, { detail }: Usage): Record<string, number> {
  const { input, output } = rates
  const hasSound = (detail?.inputAudio ?? 0) > 0 || (detail?.outputAudio ?? 0) > 0
  return {
    model_ratio: ratioOf(input, DOLLARS_PER_RATIO),
    completion_ratio: ratioOf(output, input),
    cache_ratio: ratioOf(rates.cachedInput, input),
    cache_creation_ratio: ratioOf(rates.cacheWrite, input),
    ...(detail?.inputImage ? { image_ratio: ratioOf(rates.imageInput, input) } : {}),
    ...(detail?.outputImage ? { image_completion_ratio: ratioOf(rates.imageOutput, input) } : {}),
    ...(hasSound
      ? {
          audio_ratio: ratioOf(rates.audioInput, input),
          audio_completion_ratio: ratioOf(rates.audioOutput, rates.audioInput),
        }
      : {}),
  }
}
