import { readObject } from '../../../components/forms/read-object.ts'
import type { TimelineRow } from '../../../gateway/records.ts'

export type PricedKind =
  | 'input'
  | 'cached'
  | 'cacheWrite'
  | 'output'
  | 'audioInput'
  | 'imageInput'
  | 'audioOutput'
  | 'imageOutput'

export interface PricedTokens {
  kind: PricedKind
  tokens: number
  /** US dollars a million tokens, all factors included. */
  rate: number
  /** US dollars. */
  cost: number
}

export interface UsagePrice {
  kinds: PricedTokens[]
  /** Price of the call itself, in US dollars; null where it is priced by tokens. */
  perCall: number | null
  /** US dollars less than without a cache, what writing it cost more taken off; null where that is nothing. */
  saved: number | null
  /** The factors of group, hour and service tier together. */
  factor: number
}

/** Dollars a million tokens at ratio 1 (management-api §13.3). */
const dollarsPerRatio = 2
/** A cache write that is kept for an hour, against one for five minutes. */
const hourWriteRatio = 1.6
/** One that is kept for twelve hours, against one for thirty minutes. */
const halfDayWriteRatio = 2

/**
 * The price of each kind of tokens, from the ratios that the call was charged by; null where it was not charged. `other`
 * holds them under new-api's names.
 */
export function readUsagePrice(call: TimelineRow): UsagePrice | null {
  const other = readObject(call.other)
  const number = (key: string, fallback: number): number => {
    const value = other[key]
    return typeof value === 'number' ? value : fallback
  }
  const factor =
    number('group_ratio', 1) * number('peak_factor', 1) * number('service_tier_factor', 1)
  const perCall = number('model_price', -1)
  if (perCall >= 0) {
    return { kinds: [], perCall: perCall * number('images', 1) * factor, saved: null, factor }
  }
  const base = number('model_ratio', -1)
  if (base < 0 || other.usage_unknown === true) return null

  const cached = number('cache_tokens', 0)
  const cacheWrite = number('cache_creation_tokens', 0)
  const forAnHour = Math.min(number('cache_creation_tokens_1h', 0), cacheWrite)
  const forHalfADay = Math.min(number('cache_creation_tokens_12h', 0), cacheWrite)
  const dearer = forAnHour * (hourWriteRatio - 1) + forHalfADay * (halfDayWriteRatio - 1)
  const plain = Math.max(0, call.prompt_tokens - cached - cacheWrite)
  // Cached sound and pictures cost what all cached tokens do.
  const fresh = (name: 'audio' | 'image') =>
    Math.max(0, number(`${name}_input`, 0) - number(`cached_${name}`, 0))
  const audioInput = Math.min(fresh('audio'), plain)
  const imageInput = Math.min(fresh('image'), plain - audioInput)
  const audioOutput = Math.min(number('audio_output', 0), call.completion_tokens)
  const imageOutput = Math.min(number('image_output', 0), call.completion_tokens - audioOutput)

  const input = base * dollarsPerRatio * factor
  const completion = number('completion_ratio', 1)
  const audio = number('audio_ratio', 1)
  const written = number('cache_creation_ratio', 1) * input
  const writeRate = cacheWrite ? (written * (cacheWrite + dearer)) / cacheWrite : written
  const priced = (kind: PricedKind, tokens: number, rate: number): PricedTokens[] =>
    tokens > 0 ? [{ kind, tokens, rate, cost: (tokens * rate) / 1_000_000 }] : []
  const cachedRate = number('cache_ratio', 1) * input
  const kinds = [
    ...priced('input', plain - audioInput - imageInput, input),
    ...priced('audioInput', audioInput, audio * input),
    ...priced('imageInput', imageInput, number('image_ratio', 1) * input),
    ...priced('cached', cached, cachedRate),
    ...priced('cacheWrite', cacheWrite, writeRate),
    ...priced('output', call.completion_tokens - audioOutput - imageOutput, completion * input),
    ...priced('audioOutput', audioOutput, number('audio_completion_ratio', 1) * audio * input),
    ...priced('imageOutput', imageOutput, number('image_completion_ratio', completion) * input),
  ]
  const saved =
    cached + cacheWrite > 0
      ? (cached * (input - cachedRate) - cacheWrite * (writeRate - input)) / 1_000_000 || null
      : null
  return { kinds, perCall: null, saved, factor }
}
