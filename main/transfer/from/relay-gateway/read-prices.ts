import type { GroupDraft, PriceDraft } from '../../transfer.ts'
import type { Field } from '../text/field.ts'
import { parseJson } from '../text/parse-json.ts'

type Ratio = Exclude<keyof PriceDraft, 'model' | 'unit_price'>

/** Both programs' options → our fields; the ratios mean the same. */
const options: readonly [option: string, field: Ratio][] = [
  ['ModelRatio', 'model_ratio'],
  ['CompletionRatio', 'completion_ratio'],
  ['CacheRatio', 'cache_ratio'],
  ['CreateCacheRatio', 'create_cache_ratio'],
  ['ImageRatio', 'image_ratio'],
  ['AudioRatio', 'audio_ratio'],
  ['AudioCompletionRatio', 'audio_completion_ratio'],
  ['ModelPrice', 'model_price'],
]

const MOST = 1_000_000

/** An option's value is JSON as text. */
function entriesOf(list: ReadonlyMap<string, Field>, option: string): [string, Field][] {
  const text = list.get(option)?.value
  if (typeof text !== 'string' || text.trim() === '') return []
  return parseJson(text, option).entries()
}

const ratios = (list: ReadonlyMap<string, Field>, option: string): [string, number][] =>
  entriesOf(list, option).flatMap(([name, field]) => {
    const ratio = field.number(0, MOST)
    return ratio === null ? [] : [[name, ratio] as [string, number]]
  })

/** Prices and groups by the rows of `/api/option/`. Throws `invalid_params` with the option's path. */
export function readPrices(rows: readonly Field[]): {
  prices: PriceDraft[]
  groups: GroupDraft[]
} {
  const list = new Map(rows.map((row) => [row.at('key').name(), row.at('value')]))
  const prices = new Map<string, PriceDraft>()
  for (const [option, field] of options) {
    for (const [model, ratio] of ratios(list, option)) {
      const price = prices.get(model) ?? { model }
      price[field] = ratio
      prices.set(model, price)
    }
  }
  // Without it a token of such a group is refused every call.
  const usable = new Map(entriesOf(list, 'UserUsableGroups'))
  const groups = ratios(list, 'GroupRatio').map(
    ([name, ratio]): GroupDraft => ({
      name,
      ratio,
      description: usable.get(name)?.text() ?? null,
      topup_ratio: null,
      ratios: {},
      auto_place: null,
    }),
  )
  return { prices: [...prices.values()], groups }
}
