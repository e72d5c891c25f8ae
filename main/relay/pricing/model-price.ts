import { ownValue } from '../../base/own-value.ts'
import type { User } from '../../store/records/users.ts'
import type { Settings } from '../../store/state/settings.ts'
import {
  type Listed,
  type ListedModel,
  listedPrice,
  nextPriceChange,
  type PriceFamily,
  type TierFactors,
} from './price-table.ts'

/** US dollars per million tokens, by what is counted apart. */
export interface TokenRates {
  input: number
  output: number
  cachedInput: number
  cacheWrite: number
  audioInput: number
  audioOutput: number
  imageInput: number
  imageOutput: number
}

export type UnitPrices = Settings['UnitPrice'][string]

/** A model's price here: by the owner's own ratios, by the table, or by the ratio for models without one. */
export interface Price {
  source: 'own' | 'table' | 'unset'
  /** US dollars for each call; null where the call is not what is paid for. */
  call: number | null
  tokens: TokenRates | null
  /** In place of `tokens` for a prompt of more tokens than `above`. */
  long: { above: number; tokens: TokenRates } | null
  /** US dollars for each second, character, picture or search unit. */
  units: UnitPrices
  /** US dollars for each call, beside what else it costs. */
  request: number
  /** US dollars for each search of the web that the vendor made. */
  webSearch: number
  /** US dollars for a million tokens in a cache for an hour; null where that is not known. */
  cacheStorage: number | null
  /** What tokens cost in the vendor's other service tiers, against these prices. */
  tiers: TierFactors
  /** When the vendor asks more; null where it never does. */
  peak: PriceFamily['peak'] | null
  /** Where the table has it from; null for an own price. */
  listed: Listed | null
}

/** A price that the owner or the table gives a model, for every caller. */
type KnownPrice = Price & { source: 'own' | 'table' }

/** Ratio 1 is two dollars per million tokens (management-api §13.3). */
export const DOLLARS_PER_RATIO = 2
/** Anthropic's and OpenAI's common price of a cache write, against plain input. */
const CACHE_WRITE_RATIO = 1.25
/** Names that were asked for once and never again must not fill the memory. */
const MOST_KNOWN = 5000
/** The ratio of a model without a price, for users who accept it (management-api §13.3). */
export const UNSET_RATIO = 37.5

type ListedRates = Pick<ListedModel, keyof TokenRates>

function tokenRates({ input = 0, output = 0, ...rest }: ListedRates): TokenRates {
  return {
    input,
    output,
    cachedInput: rest.cachedInput ?? input,
    cacheWrite: rest.cacheWrite ?? input,
    audioInput: rest.audioInput ?? input,
    audioOutput: rest.audioOutput ?? output,
    imageInput: rest.imageInput ?? input,
    imageOutput: rest.imageOutput ?? output,
  }
}

function ofTable(listed: Listed): KnownPrice {
  const { row, family } = listed
  const { second, character, image, search } = row
  return {
    source: 'table',
    call: null,
    tokens: row.input === undefined ? null : tokenRates(row),
    long: row.long ? { above: row.long.above, tokens: tokenRates(row.long) } : null,
    units: { second, character, image, search },
    request: row.request ?? 0,
    webSearch: family.webSearch ?? 0,
    cacheStorage: row.cacheStorage ?? null,
    tiers: { ...family.tiers, ...row.tiers },
    peak: family.peak ?? null,
    listed,
  }
}

/** The owner's own ratio under each of these settings; undefined where there is none. */
const ownRatios = (model: string, settings: Readonly<Settings>) => ({
  completion: ownValue(settings.CompletionRatio, model),
  cache: ownValue(settings.CacheRatio, model),
  createCache: ownValue(settings.CreateCacheRatio, model),
  audio: ownValue(settings.AudioRatio, model),
  spoken: ownValue(settings.AudioCompletionRatio, model),
  image: ownValue(settings.ImageRatio, model),
})
type OwnRatios = ReturnType<typeof ownRatios>

/** Ratios that the owner has not set are those of the table's model, where that has some. */
function ownRates(input: number, own: OwnRatios, known: TokenRates | null): TokenRates {
  const against = (rate: keyof TokenRates, otherwise: number, plain: keyof TokenRates = 'input') =>
    known?.[plain] ? known[rate] / known[plain] : otherwise
  const output = input * (own.completion ?? against('output', 1))
  const audioInput = input * (own.audio ?? against('audioInput', 1))
  // Sound that is spoken stands to sound that was heard as the owner says, else as output does to input.
  const audioOutput =
    own.spoken !== undefined || own.audio !== undefined
      ? audioInput * (own.spoken ?? own.completion ?? against('output', 1))
      : output * against('audioOutput', 1, 'output')
  return {
    input,
    output,
    cachedInput: input * (own.cache ?? against('cachedInput', 1)),
    cacheWrite: input * (own.createCache ?? against('cacheWrite', CACHE_WRITE_RATIO)),
    audioInput,
    audioOutput,
    imageInput: input * (own.image ?? against('imageInput', 1)),
    imageOutput: output * against('imageOutput', 1, 'output'),
  }
}

/** Prices of a long prompt where plain prices differ from the table's: as much more as there. */
function ownLong(tokens: TokenRates, { long, tokens: plain }: Price): Price['long'] {
  if (!long || !plain) return null
  const rates = Object.keys(tokens) as (keyof TokenRates)[]
  const scaled = rates.map((rate) => [
    rate,
    plain[rate] > 0 ? tokens[rate] * (long.tokens[rate] / plain[rate]) : long.tokens[rate],
  ])
  return { above: long.above, tokens: Object.fromEntries(scaled) as unknown as TokenRates }
}

const withoutFees = {
  tokens: null,
  long: null,
  units: {},
  request: 0,
  webSearch: 0,
  cacheStorage: null,
  tiers: {},
  peak: null,
  listed: null,
} as const

function ofSettings(
  model: string,
  settings: Readonly<Settings>,
  table: Price | null,
): KnownPrice | null {
  const call = ownValue(settings.ModelPrice, model)
  if (call !== undefined) return { ...withoutFees, source: 'own', call }
  const ratio = ownValue(settings.ModelRatio, model)
  const units = ownValue(settings.UnitPrice, model)
  const own = ownRatios(model, settings)
  const input = ratio === undefined ? table?.tokens?.input : ratio * DOLLARS_PER_RATIO
  const hasRatios = Object.values(own).some((one) => one !== undefined) && input !== undefined
  if (ratio === undefined && units === undefined && !hasRatios) return null
  const tokens = input === undefined ? null : ownRates(input, own, table?.tokens ?? null)
  // A model that is free by its ratio has no fees either.
  const isFree = ratio === 0
  return {
    source: 'own',
    call: null,
    tokens,
    long: tokens && table && !isFree ? ownLong(tokens, table) : null,
    units: units ?? (ratio === undefined ? (table?.units ?? {}) : {}),
    request: isFree ? 0 : (table?.request ?? 0),
    webSearch: isFree ? 0 : (table?.webSearch ?? 0),
    cacheStorage: isFree ? 0 : (table?.cacheStorage ?? null),
    tiers: table?.tiers ?? {},
    peak: table?.peak ?? null,
    listed: null,
  }
}

let known = new WeakMap<Readonly<Settings>, Map<string, KnownPrice | null>>()
/** The time in which `known` holds, in milliseconds since 1970: a clock may also be set back. */
let knownFor = { from: 0, until: 0 }

/**
 * The price of a model; null where neither the owner nor the table has one. An own `ModelPrice` takes the place of all
 * that the table has for the model; an own ratio or `UnitPrice` of what it says: what it leaves open stays as
 * the table has it, in proportion. Worked out once after each change.
 */
export function priceOf(model: string, settings: Readonly<Settings>): KnownPrice | null {
  const now = Date.now()
  if (now < knownFor.from || now >= knownFor.until) {
    known = new WeakMap()
    knownFor = { from: now, until: nextPriceChange(now) }
  }
  let prices = known.get(settings)
  if (!prices || prices.size >= MOST_KNOWN) {
    prices = new Map()
    known.set(settings, prices)
  }
  let price = prices.get(model)
  if (price === undefined) {
    const listed = listedPrice(model)
    const table = listed ? ofTable(listed) : null
    price = ofSettings(model, settings, table) ?? table
    prices.set(model, price)
  }
  return price
}

/** The vendor's factor at this time (unix seconds): 1, except in the peak hours of some vendors. */
export function peakFactor({ peak }: Pick<Price, 'peak'>, time: number): number {
  if (!peak) return 1
  const date = new Date(time * 1000)
  return peak.days.includes(date.getUTCDay()) && peak.hours.includes(date.getUTCHours())
    ? peak.factor
    : 1
}

const choices = new WeakMap<User, boolean>()

function acceptsUnpriced(user: User): boolean {
  let accepts = choices.get(user)
  if (accepts === undefined) {
    try {
      accepts = JSON.parse(user.setting || '{}')?.accept_unset_model_ratio_model === true
    } catch {
      accepts = false
    }
    choices.set(user, accepts)
  }
  return accepts
}

/** May this user call what has no price? In self-use mode always, else where their own setting says so. */
export const allowsUnpriced = (user: User, settings: Readonly<Settings>): boolean =>
  settings.SelfUseModeEnabled || acceptsUnpriced(user)

/**
 * The price of a model for this user: where it has none, outside of self-use mode, the ratio for users who
 * accept that (management-api §13.3). Null where it has none.
 */
export function priceFor(user: User, model: string, settings: Readonly<Settings>): Price | null {
  const price = priceOf(model, settings)
  if (price || settings.SelfUseModeEnabled || !acceptsUnpriced(user)) return price
  const input = UNSET_RATIO * DOLLARS_PER_RATIO
  const tokens = ownRates(input, ownRatios(model, settings), null)
  return { ...withoutFees, source: 'unset', call: null, tokens }
}
