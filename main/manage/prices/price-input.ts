import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { fieldProblems } from '../../base/field-problems.ts'
import type { Reason } from '../../base/reason.ts'
import { DOLLARS_PER_RATIO } from '../../relay/pricing/model-price.ts'
import type { Settings } from '../../store/state/settings.ts'

const MOST_DOLLARS = 1_000_000

const dollars = z
  .number(fieldProblems.field_dollars)
  .min(0, fieldProblems.field_negative)
  .max(MOST_DOLLARS, `can be at most ${MOST_DOLLARS}`)
  .nullable()
  .optional()

const readOnly = z.unknown().optional()

/** The whole price of a model; what is left out or null has none of its own. */
export const priceInput = z.strictObject({
  model: z.string().trim().min(1, fieldProblems.field_missing).max(255),
  input: dollars,
  output: dollars,
  cached_input: dollars,
  cache_write: dollars,
  audio_input: dollars,
  audio_output: dollars,
  image_input: dollars,
  call: dollars,
  second: dollars,
  character: dollars,
  image: dollars,
  search: dollars,
  // A record may be sent back as it was read.
  vendor: readOnly,
  source: readOnly,
  unit: readOnly,
  image_output: readOnly,
  long: readOnly,
  next: readOnly,
  tiers: readOnly,
  as_of: readOnly,
  page: readOnly,
  checked: readOnly,
  served: readOnly,
})

type PriceInput = z.output<typeof priceInput>

const refuse = (field: string, message: string, reason: Reason): GatewayError =>
  new GatewayError('invalid_params', { message, field, reason })

const besideInput = [
  'output',
  'cached_input',
  'cache_write',
  'audio_input',
  'audio_output',
  'image_input',
] as const

const unitNames = ['second', 'character', 'image', 'search'] as const

/** The settings that make up a price of one's own, with what they hold for the model; undefined: nothing. */
export type OwnPrice = {
  [Name in (typeof priceSettings)[number]]: Settings[Name][string] | undefined
}

export const priceSettings = [
  'ModelPrice',
  'UnitPrice',
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'ImageRatio',
] as const

/** Throws `invalid_params` with the field for a price that does not hang together. */
function checkPrice(input: PriceInput): void {
  const isGiven = (name: keyof PriceInput) => input[name] !== undefined && input[name] !== null
  if (isGiven('call')) {
    const other = (['input', ...besideInput, ...unitNames] as const).find(isGiven)
    if (other) {
      throw refuse(other, `Set either a price per call or "${other}", not both.`, {
        code: 'price_stands_alone',
        other,
      })
    }
    return
  }
  if (!isGiven('input')) {
    const orphan = besideInput.find(isGiven)
    if (orphan)
      throw refuse('input', `"${orphan}" also needs a price for "input".`, {
        code: 'price_needs_input',
        other: orphan,
      })
    if (!unitNames.some(isGiven)) {
      throw refuse('input', 'Give a price: input and output per million tokens, or one per call.', {
        code: 'price_missing',
        other: 'output',
      })
    }
    return
  }
  const dear = besideInput.find((name) => (input[name] ?? 0) > 0)
  if (input.input === 0 && dear) {
    throw refuse('input', `"input" can’t be 0 while "${dear}" has a price.`, {
      code: 'price_needs_paid_input',
      other: dear,
    })
  }
  if ((input.audio_output ?? 0) > 0 && input.audio_input === 0) {
    throw refuse('audio_input', '"audio_input" can’t be 0 while "audio_output" has a price.', {
      code: 'price_needs_paid_input',
      other: 'audio_output',
    })
  }
}

/**
 * A price in US dollars as the settings keep it: ratios, each that has a field, so that the table's holds for none of
 * them.
 */
export function toOwnPrice(price: PriceInput): OwnPrice {
  checkPrice(price)
  const units = unitNames.filter((name) => typeof price[name] === 'number')
  const none = Object.fromEntries(priceSettings.map((name) => [name, undefined]))
  const own = {
    ...none,
    ModelPrice: price.call ?? undefined,
    UnitPrice:
      units.length > 0 ? Object.fromEntries(units.map((name) => [name, price[name]])) : undefined,
  } as OwnPrice
  const { input, output } = price
  if (typeof input !== 'number') return own
  const against = (value: number | null | undefined) =>
    typeof value === 'number' && input > 0 ? value / input : 1
  const audio = price.audio_input ?? input
  const spoken = price.audio_output ?? output ?? 0
  return {
    ...own,
    ModelRatio: input / DOLLARS_PER_RATIO,
    // Without a price, output is free.
    CompletionRatio: typeof output === 'number' ? against(output) : 0,
    CacheRatio: against(price.cached_input),
    CreateCacheRatio: against(price.cache_write),
    AudioRatio: against(price.audio_input),
    AudioCompletionRatio: audio > 0 ? spoken / audio : 1,
    ImageRatio: against(price.image_input),
  }
}
