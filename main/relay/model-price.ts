import type { Settings } from '../store/settings.ts'
import type { User } from '../store/users.ts'
import { type Listed, type ListedModel, listedPrice } from './price-table.ts'

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

/** What a model costs here: by the owner's own ratios, or by the table. */
export interface Price {
  source: 'own' | 'table'
  /** US dollars for each call; null where the call is not what is paid for. */
  call: number | null
  tokens: TokenRates | null
  /** What holds in place of `tokens` for a prompt of more tokens than `above`. */
  long: { above: number; tokens: TokenRates } | null
  /** US dollars for each second, character, picture or search unit. */
  units: UnitPrices
  /** US dollars for each call, beside what else it costs. */
  request: number
  /** US dollars for each search of the web that the vendor made. */
  webSearch: number
  /** Where the table has it from; null for an own price. */
  listed: Listed | null
}

/** Ratio 1 is two dollars per million tokens (management-api §13.3). */
export const DOLLARS_PER_RATIO = 2
/** Anthropic's and OpenAI's common price of a cache write, against plain input. */
const CACHE_WRITE_RATIO = 1.25
/** Names that were asked for once and never again must not fill the memory. */
const MOST_KNOWN = 5000

type Given = Pick<ListedModel, keyof TokenRates>

function tokenRates({ input = 0, output = 0, ...rest }: Given): TokenRates {
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

function ofTable(listed: Listed): Price {
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
    listed,
  }
}

/** Ratios that the owner has not set are those of the table's model, where that has some. */
function ownRates(model: string, ratio: number, settings: Readonly<Settings>): TokenRates {
  const row = listedPrice(model)?.row
  const known = row?.input ? tokenRates(row) : null
  const against = (rate: keyof TokenRates, otherwise: number) =>
    known ? known[rate] / known.input : otherwise
  const input = ratio * DOLLARS_PER_RATIO
  const completion = settings.CompletionRatio[model] ?? against('output', 1)
  const audio = settings.AudioRatio[model] ?? against('audioInput', 1)
  const spoken = settings.AudioCompletionRatio[model]
  const hasSpoken = spoken !== undefined || settings.AudioRatio[model] !== undefined
  return {
    input,
    output: input * completion,
    cachedInput: input * (settings.CacheRatio[model] ?? against('cachedInput', 1)),
    cacheWrite:
      input * (settings.CreateCacheRatio[model] ?? against('cacheWrite', CACHE_WRITE_RATIO)),
    audioInput: input * audio,
    audioOutput: input * (hasSpoken ? audio * (spoken ?? completion) : completion),
    imageInput: input * (settings.ImageRatio[model] ?? against('imageInput', 1)),
    imageOutput: input * completion,
  }
}

function ofSettings(model: string, settings: Readonly<Settings>): Price | null {
  const call = settings.ModelPrice[model]
  const ratio = settings.ModelRatio[model]
  const units = settings.UnitPrice[model]
  if (call === undefined && ratio === undefined && units === undefined) return null
  return {
    source: 'own',
    call: call ?? null,
    tokens: ratio === undefined ? null : ownRates(model, ratio, settings),
    long: null,
    units: units ?? {},
    request: 0,
    webSearch: 0,
    listed: null,
  }
}

const known = new WeakMap<Readonly<Settings>, Map<string, Price | null>>()

/**
 * What a model costs; null where neither the owner nor the table says. An own `ModelRatio`, `ModelPrice` or
 * `UnitPrice` takes the place of all that the table has for the model. Worked out once after each change.
 */
export function priceOf(model: string, settings: Readonly<Settings>): Price | null {
  let prices = known.get(settings)
  if (!prices || prices.size >= MOST_KNOWN) {
    prices = new Map()
    known.set(settings, prices)
  }
  let price = prices.get(model)
  if (price === undefined) {
    const listed = listedPrice(model)
    price = ofSettings(model, settings) ?? (listed ? ofTable(listed) : null)
    prices.set(model, price)
  }
  return price
}

/** What the vendor multiplies its prices by at this time (unix seconds): 1, but at peak hours of some. */
export function peakFactor({ listed }: Price, time: number): number {
  const peak = listed?.family.peak
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
