import type { OperationInput, OperationOutput } from '../../../preload/contract.ts'
import { changedFields } from '../../components/forms/changed-fields.ts'

export type PriceRow = OperationOutput<'price.list'>['items'][number]
type PriceInput = OperationInput<'price.set'>

/** US dollars per million tokens, in display order. */
export const tokenPrices = [
  'input',
  'cached_input',
  'cache_write',
  'output',
  'image_input',
  'audio_input',
  'audio_output',
] as const

/** US dollars per unit. */
export const unitPrices = ['call', 'second', 'character', 'image', 'search'] as const

const priceFields = [...tokenPrices, ...unitPrices] as const

export type PriceField = (typeof priceFields)[number]

export const priceLabels = {
  input: 'prices.input',
  cached_input: 'prices.cached_input',
  cache_write: 'prices.cache_write',
  output: 'prices.output',
  image_input: 'prices.image_input',
  audio_input: 'prices.audio_input',
  audio_output: 'prices.audio_output',
  call: 'prices.call',
  second: 'prices.second',
  character: 'prices.character',
  image: 'prices.image',
  search: 'prices.search_unit',
} as const

/** Numbers as typed; '' for no price. */
export type PriceDraft = Record<PriceField, number | string>

export const draftOfPrice = (row: PriceRow): PriceDraft =>
  Object.fromEntries(priceFields.map((field) => [field, row[field] ?? ''])) as PriceDraft

/**
 * The record as it is `now`, with the fields that differ from `read`, the record that the draft was made
 * of. Null when a field was emptied. Fields that the form doesn't show are kept.
 */
export function fieldsOfPrice(draft: PriceDraft, read: PriceRow, now: PriceRow): PriceInput {
  const changed = Object.entries(changedFields(draft, draftOfPrice(read)))
  const prices = changed.map(([field, typed]) => [field, typed === '' ? null : Number(typed)])
  return { ...now, ...Object.fromEntries(prices) }
}

export type PriceFilter = 'served' | 'all' | 'unpriced' | 'own'

export function matchesFilter(row: PriceRow, filter: PriceFilter, typed: string): boolean {
  const words = typed.toLowerCase().trim()
  if (words !== '' && !`${row.model} ${row.vendor}`.toLowerCase().includes(words)) return false
  if (filter === 'served') return row.served
  if (filter === 'unpriced') return row.source === 'none'
  return filter === 'own' ? row.source === 'own' : true
}
