import type { PricedTier } from '../../convert/exchange.ts'
import table from './price-table.json' with { type: 'json' }

/**
 * Prices of tokens by service tier, against the standard tier's; a tier whose price isn't known is left out. From
 * https://platform.claude.com/docs/en/build-with-claude/fast-mode, https://openai.com/api-fast-mode/,
 * https://developers.openai.com/api/docs/models/gpt-6.2-sol, https://developers.openai.com/api/docs/guides/flex-processing, https://ai.google.dev/gemini-api/docs/optimization and
 * https://console.groq.com/docs/flex-processing.
 */
export type TierFactors = Partial<Record<PricedTier, number>>

/** Prices of one size of prompt, in US dollars per million tokens; what is left out costs what plain text does. */
interface ListedRates {
  input: number
  output: number
  cachedInput?: number
  /** Kept for five minutes, or as long as the vendor keeps by default. */
  cacheWrite?: number
  audioInput?: number
  audioOutput?: number
  imageInput?: number
  imageOutput?: number
}

/** Prices of a model from its vendor's page. */
export interface ListedModel extends Partial<ListedRates> {
  /** As the vendor spells it, in lower case. */
  model: string
  /** Other names of the vendor's for the same. */
  aliases?: string[]
  /** Prices of the whole call once its prompt, cached tokens included, has more than `above` tokens. */
  long?: ListedRates & { above: number }
  /** US dollars for each second, character, picture or search unit. */
  second?: number
  character?: number
  image?: number
  search?: number
  /** US dollars for each call, beside its tokens. */
  request?: number
  /** US dollars for a million tokens that the vendor keeps for an hour where it was asked to. */
  cacheStorage?: number
  /** As the family's, of this model. */
  tiers?: TierFactors
  /** Announced: what changes with the beginning of a day, in UTC. */
  from?: Partial<ListedRates> & { day: string; tiers?: TierFactors }
}

/** Models of one vendor, priced on one page. */
export interface PriceFamily {
  vendor: string
  /** The channel types that are the vendor's own. */
  channelTypes: number[]
  page: string
  /** The day of the prices. */
  asOf: string
  /** They were read on the vendor's own pages; else others report them. */
  checked: boolean
  /** Prefixes of resellers who pass the vendor's price on: `anthropic/`. */
  paths: string[]
  /** Suffixes that do not change the price, as regular expressions: dates, `-latest`. */
  endings: string[]
  /** US dollars for each search of the web that the vendor's own tool made. */
  webSearch?: number
  /** When everything costs `factor` times as much: days from 0 (Sunday) and hours, in UTC. */
  peak?: { factor: number; days: number[]; hours: number[] }
  tiers?: TierFactors
  models: ListedModel[]
}

/** A model's row with the family that it stands in. */
export interface Listed {
  row: ListedModel
  family: PriceFamily
}

/** The table as data: a test checks its names and numbers, so nothing is checked at run time. */
export const priceTable: { families: readonly PriceFamily[] } = table

/** Milliseconds since 1970 at which an announced price begins to hold. */
const beginOf = ({ day }: { day: string }): number => Date.parse(day)

const announced = priceTable.families
  .flatMap(({ models }) => models.flatMap(({ from }) => (from ? [beginOf(from)] : [])))
  .sort((one, other) => one - other)

/** When the next announced price begins to hold, in milliseconds since 1970; Infinity where none is known. */
export const nextPriceChange = (now: number): number =>
  announced.find((begin) => begin > now) ?? Number.POSITIVE_INFINITY

/** The row with the prices that hold now. */
function rowToday(row: ListedModel): ListedModel {
  if (!row.from || Date.now() < beginOf(row.from)) return row
  const { from, ...before } = row
  const { day: _past, ...rates } = from
  return { ...before, ...rates }
}

/** A date and a wish such as `[1m]` may both follow a name. */
const MOST_ENDINGS = 2

const families = priceTable.families.map((family) => ({
  family,
  names: new Map(
    family.models.flatMap((row) =>
      [row.model, ...(row.aliases ?? [])].map((name) => [name, row] as const),
    ),
  ),
  ending: family.endings.length > 0 ? new RegExp(`(?:${family.endings.join('|')})$`) : null,
}))

type IndexedFamily = (typeof families)[number]

function rowIn({ family, names, ending }: IndexedFamily, id: string): ListedModel | undefined {
  const path = family.paths.find((start) => id.startsWith(start)) ?? ''
  let name = id.slice(path.length)
  for (let left = MOST_ENDINGS; left >= 0; left--) {
    const row = names.get(name)
    if (row) return row
    const shorter = ending ? name.replace(ending, '') : name
    if (shorter === name) return undefined
    name = shorter
  }
  return undefined
}

/**
 * The table's row for a model: under the vendor's own name, or one that the family's rules lead back to it.
 * Undefined for any other, since what somebody else asks for a model is not known here.
 */
export function listedPrice(model: string): Listed | undefined {
  const id = model.trim().toLowerCase()
  for (const one of families) {
    const row = rowIn(one, id)
    if (row) return { row: rowToday(row), family: one.family }
  }
  return undefined
}
