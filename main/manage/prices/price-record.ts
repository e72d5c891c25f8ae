import { z } from 'zod'
import { type Price, priceOf, type TokenRates } from '../../relay/pricing/model-price.ts'
import { type ListedModel, listedPrice, priceTable } from '../../relay/pricing/price-table.ts'
import type { GatewayParts } from '../gateway-parts.ts'

const dollars = z.number().nullable()
const perMillion = dollars.describe('US dollars per million tokens; null: as plain text.')

const longRates = z
  .strictObject({
    above: z.int().describe('Tokens of the prompt, cached ones included.'),
    input: z.number(),
    output: z.number(),
    cached_input: dollars,
    cache_write: dollars,
  })
  .describe('What holds for calls with a longer prompt.')

const announcedRates = z
  .strictObject({ day: z.iso.date(), input: z.number(), output: z.number(), cached_input: dollars })
  .describe('What the vendor announced: these prices hold from the beginning of that day, in UTC.')

/** A model's price and its source. */
export const priceRecord = z.strictObject({
  model: z.string(),
  vendor: z.string().describe("Whose price list has the model; '' for none."),
  source: z.enum(['table', 'own', 'none']).describe('`own`: set here. `none`: it has no price.'),
  unit: z.enum(['tokens', 'call']),
  input: dollars.describe('US dollars per million tokens, as the token prices after it.'),
  output: dollars,
  cached_input: perMillion,
  cache_write: perMillion.describe('Kept for five minutes; for an hour 1.6 times as much.'),
  audio_input: perMillion,
  audio_output: perMillion,
  image_input: perMillion,
  image_output: perMillion,
  long: longRates.nullable(),
  next: announcedRates.nullable(),
  tiers: z
    .record(z.string(), z.number())
    .describe('What tokens cost in other service tiers, as a factor of these prices.'),
  call: dollars.describe('US dollars for each call.'),
  second: dollars.describe('US dollars for each second of sound.'),
  character: dollars.describe('US dollars for each character spoken.'),
  image: dollars.describe('US dollars for each picture.'),
  search: dollars.describe('US dollars for each search unit of a ranking.'),
  as_of: z.iso.date().nullable().describe('The day of the price list.'),
  page: z.url().nullable().describe("The vendor's price list."),
  checked: z.boolean().describe("Read on the vendor's own pages; else others report it."),
  served: z.boolean().describe('An enabled channel serves the model.'),
})
export type PriceRecord = z.infer<typeof priceRecord>

/** Without the noise that multiplying ratios leaves in the last digits. */
const shown = (value: number): number => Number(value.toPrecision(12))

const apart = (value: number, plain: number): number | null =>
  shown(value) === shown(plain) ? null : shown(value)

const noTokens = {
  input: null,
  output: null,
  cached_input: null,
  cache_write: null,
  audio_input: null,
  audio_output: null,
  image_input: null,
  image_output: null,
}

const toTokens = (rates: TokenRates): { [Name in keyof typeof noTokens]: number | null } => ({
  input: shown(rates.input),
  output: shown(rates.output),
  cached_input: apart(rates.cachedInput, rates.input),
  cache_write: apart(rates.cacheWrite, rates.input),
  audio_input: apart(rates.audioInput, rates.input),
  audio_output: apart(rates.audioOutput, rates.output),
  image_input: apart(rates.imageInput, rates.input),
  image_output: apart(rates.imageOutput, rates.output),
})

function toLong(long: Price['long']): PriceRecord['long'] {
  if (!long) return null
  const { input, output, cachedInput, cacheWrite } = long.tokens
  return {
    above: long.above,
    input: shown(input),
    output: shown(output),
    cached_input: apart(cachedInput, input),
    cache_write: apart(cacheWrite, input),
  }
}

function toNext(row: ListedModel | undefined): PriceRecord['next'] {
  if (!row?.from) return null
  const { day, tiers: _, ...rates } = row.from
  if (Object.keys(rates).length === 0) return null
  const { input = row.input ?? 0, output = row.output ?? 0, cachedInput = input } = rates
  return { day, input, output, cached_input: apart(cachedInput, input) }
}

/** A model's price as the API shows it. */
export function toPriceRecord(
  model: string,
  served: ReadonlySet<string>,
  parts: Pick<GatewayParts, 'settings'>,
): PriceRecord {
  const price = priceOf(model, parts.settings.current)
  const family = listedPrice(model)?.family
  const used = price?.listed?.family
  const { second = null, character = null, image = null, search = null } = price?.units ?? {}
  return {
    model,
    vendor: family?.vendor ?? '',
    source: price?.source ?? 'none',
    unit: price && price.call !== null ? 'call' : 'tokens',
    ...(price?.tokens ? toTokens(price.tokens) : noTokens),
    long: toLong(price?.long ?? null),
    next: toNext(price?.listed?.row),
    tiers: { ...price?.tiers },
    call: price?.call ?? null,
    ...{ second, character, image, search },
    as_of: used?.asOf ?? null,
    page: used?.page ?? null,
    checked: used?.checked ?? false,
    served: served.has(model),
  }
}

/** Every model of an enabled channel. */
export const servedModels = ({ channels }: Pick<GatewayParts, 'channels'>): Set<string> =>
  new Set(channels.all().flatMap(({ status, models }) => (status === 1 ? models : [])))

/** Names of all models that the table lists. */
export const listedModels = (): string[] =>
  priceTable.families.flatMap(({ models }) => models.map(({ model }) => model))
