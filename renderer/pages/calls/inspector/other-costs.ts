import { dollarsOf } from '../../../components/format/quota-units.ts'
import { readObject } from '../../../components/forms/read-object.ts'
import type { TimelineRow } from '../../../gateway/records.ts'
import type { CountedKind } from '../call-facts.ts'

/** A part of a call's cost that isn't one of its tokens. */
export interface OtherCost {
  /** `models`: usage of other models within the call. */
  kind: CountedKind | 'request' | 'storage' | 'models'
  /** Those models, the dearest of which was charged. */
  models: string[]
  count: number | null
  /** US dollars, all factors included; null where it has no price. */
  cost: number | null
}

/** Names in the ledger’s `unit_price`, each with the count that it prices. */
const units = {
  second: 'seconds',
  character: 'characters',
  image: 'images',
  search: 'search_units',
} as const satisfies Record<string, CountedKind>

const number = (value: unknown, fallback = 0): number =>
  typeof value === 'number' ? value : fallback

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** All that a call cost beside its own tokens, from what the ledger says of it. */
export function readOtherCosts({ other: text }: Pick<TimelineRow, 'other'>): OtherCost[] {
  const other = readObject(text)
  const factor = number(other.group_ratio, 1) * number(other.peak_factor, 1)
  const costs: OtherCost[] = []
  const add = (kind: OtherCost['kind'], count: number | null, dollars: number) => {
    if (dollars > 0) costs.push({ kind, models: [], count, cost: dollars * factor })
  }
  // A price of the call itself, 0 too, holds for all of it.
  if (number(other.model_price, -1) < 0) {
    const prices = record(other.unit_price)
    for (const [unit, kind] of Object.entries(units)) {
      add(kind, number(other[kind]), number(other[kind]) * number(prices[unit]))
    }
    const searches = number(other.web_search_call_count)
    add('web_search_call_count', searches, searches * number(other.web_search_price))
    add('request', null, number(other.request_price))
    add('storage', null, number(other.cache_storage_cost))
  }
  // One alone was no list until 2026-11-28.
  for (const beside of [other.beside ?? []].flat()) {
    const { models, quota } = record(beside)
    costs.push({
      kind: 'models',
      models: Array.isArray(models) ? models.map(String) : [],
      count: null,
      cost: typeof quota === 'number' ? dollarsOf(quota) : null,
    })
  }
  return costs
}
