import { useTranslation } from 'react-i18next'
import { approximate } from '../../components/format/approximate.ts'
import { useFormat } from '../../components/format/use-format.ts'
import { isUnpriced, useSumCost } from '../../components/format/use-sum-cost.ts'
import { Figures } from '../../components/layout/figures.tsx'
import { cacheShare, type UsageSum } from './usage-sums.ts'

export function UsageFigures({ sum }: { sum: UsageSum }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { noteOf } = useSumCost()
  const unpriced = isUnpriced(sum)
  const isEstimated = sum.estimated > 0
  const figures = [
    { name: t('usage.calls'), value: format.count(sum.calls) },
    { name: t('usage.errors'), value: format.count(sum.errors), bad: sum.errors > 0 },
    { name: t('usage.input'), value: approximate(format.count(sum.promptTokens), isEstimated) },
    {
      name: t('usage.output'),
      value: approximate(format.count(sum.completionTokens), isEstimated),
    },
    { name: t('usage.cacheShare'), value: format.percent(cacheShare(sum)) },
    {
      name: t('usage.cost'),
      value: unpriced ? t('common.unpriced') : approximate(format.money(sum.quota), isEstimated),
      muted: unpriced,
      detail: noteOf(sum),
    },
  ]
  return <Figures figures={figures} label={t('usage.total')} />
}
