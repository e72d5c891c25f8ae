import type { Settings } from '../../../store/state/settings.ts'
import { priceDraft } from '../../../transfer/draft-schemas.ts'
import type { PriceDraft } from '../../../transfer/transfer.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { changesOf } from './changes.ts'
import { type Plan, planEach } from './plan.ts'

/** The setting that holds each field, by model. */
const tables = {
  model_ratio: 'ModelRatio',
  completion_ratio: 'CompletionRatio',
  cache_ratio: 'CacheRatio',
  create_cache_ratio: 'CreateCacheRatio',
  image_ratio: 'ImageRatio',
  audio_ratio: 'AudioRatio',
  audio_completion_ratio: 'AudioCompletionRatio',
  model_price: 'ModelPrice',
  unit_price: 'UnitPrice',
} as const satisfies Record<keyof Omit<PriceDraft, 'model'>, keyof Settings>

const fields = Object.entries(tables) as [keyof typeof tables, keyof Settings][]

const tableOf = (settings: Readonly<Settings>, name: keyof Settings) =>
  settings[name] as Readonly<Record<string, unknown>>

/** The prices that were set here. */
export function toPriceDrafts({ settings: { current } }: GatewayParts): PriceDraft[] {
  const models = new Set(fields.flatMap(([, table]) => Object.keys(tableOf(current, table))))
  return [...models].sort().map((model) => priceHere(model, current))
}

const priceHere = (model: string, settings: Readonly<Settings>): PriceDraft => ({
  model,
  ...Object.fromEntries(
    fields
      .filter(([, table]) => Object.hasOwn(tableOf(settings, table), model))
      .map(([field, table]) => [field, tableOf(settings, table)[model]]),
  ),
})

/** Compares the prices of an import with those that were set here, by model. */
export function planPrices(entries: readonly unknown[], parts: GatewayParts): Plan {
  return planEach('prices', entries, priceDraft, (draft) => {
    const before = priceHere(draft.model, parts.settings.current)
    const isNew = Object.keys(before).length === 1
    // A field that the draft lacks loses its value here.
    const blank = Object.fromEntries(Object.keys(before).map((name) => [name, undefined]))
    const changes = changesOf<object>(before, { ...blank, ...draft })
    return {
      name: draft.model,
      state: changes.length === 0 ? 'same' : isNew ? 'new' : 'changed',
      changes,
      notes: [],
      write(_how, { parts: { settings } }) {
        const changes = fields.flatMap(([field, table]) => {
          const { [draft.model]: old, ...others } = tableOf(settings.current, table)
          const value = draft[field]
          if (value === undefined) return old === undefined ? [] : [[table, others]]
          return [[table, { ...others, [draft.model]: value }]]
        })
        settings.update(Object.fromEntries(changes))
      },
    }
  })
}
