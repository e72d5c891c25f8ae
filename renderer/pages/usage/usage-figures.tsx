import { useTranslation } from 'react-i18next'
import { useFormat } from '../../components/format/use-format.ts'
import { Figures } from '../../components/layout/figures.tsx'
import { cacheShare, isUnpriced, type UsageSum } from './usage-sums.ts'

export function UsageFigures({ sum }: { sum: UsageSum }) {
  const { t } = useTranslation()
  const format = useFormat()
  const unpriced = isUnpriced(sum)
  const figures = [
    { name: t('usage.calls'), value: format.count(sum.calls) },
    { name: t('usage.errors'), value: format.count(sum.errors), bad: sum.errors > 0 },
    { name: t('usage.input'), value: format.count(sum.promptTokens) },
    { name: t('usage.output'), value: format.count(sum.completionTokens) },
    { name: t('usage.cacheShare'), value: format.percent(cacheShare(sum)) },
    {
      name: t('usage.cost'),
      value: unpriced ? t('common.unpriced') : format.money(sum.quota),
      muted: unpriced,
      detail:
        !unpriced && sum.unpriced > 0 ? t('usage.andUnpriced', { count: sum.unpriced }) : undefined,
    },
  ]
  return <Figures figures={figures} label={t('usage.total')} />
}
