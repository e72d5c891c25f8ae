import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../components/format/use-format.ts'
import type { CatalogueEntry } from '../../../gateway/records.ts'
import styles from './model-picker.module.css'

/** 128000 as "128K", 1000000 as "1M": what vendors write. */
function inThousands(tokens: number): string {
  if (tokens >= 1_000_000) return `${Math.round(tokens / 100_000) / 10}M`
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}K` : String(tokens)
}

const dollars = (value: number): string =>
  `$${value >= 1 || value === 0 ? Number(value.toFixed(2)) : Number(value.toPrecision(2))}`

function priceIn(t: TFunction, price: CatalogueEntry['price']): string {
  if (!price) return t('common.unpriced')
  if (price.call !== null) return t('playground.perCall', { price: dollars(price.call) })
  if (price.input !== null) {
    const input = dollars(price.input)
    if (price.output === null) return t('playground.perMillionIn', { input })
    return t('playground.perMillion', { input, output: dollars(price.output) })
  }
  const { unit } = price
  if (!unit) return t('common.unpriced')
  return t(`playground.per_${unit.of}`, { price: dollars(unit.price) })
}

/** Context, price and abilities in one line; unknown ones are left out. */
export function ModelFacts({ entry }: { entry: CatalogueEntry }) {
  const { t } = useTranslation()
  const format = useFormat()
  const facts = [
    entry.context !== null && t('playground.contextOf', { tokens: inThousands(entry.context) }),
    priceIn(t, entry.price),
    format.list(entry.capabilities.map((capability) => t(`capabilities.${capability}`))),
    entry.calls_tools === false && t('common.noToolCalls'),
  ]
  return <span className={styles.facts}>{facts.filter(Boolean).join(' · ')}</span>
}
