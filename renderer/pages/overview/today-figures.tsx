import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../preload/contract.ts'
import { useFormat } from '../../components/format/use-format.ts'
import { Figures } from '../../components/layout/figures.tsx'

export function TodayFigures({ stat }: { stat: OperationOutput<'call.stat'> }) {
  const { t } = useTranslation()
  const format = useFormat()
  const figures = [
    { name: t('overview.calls'), value: format.count(stat.calls) },
    { name: t('overview.errors'), value: format.count(stat.errors), bad: stat.errors > 0 },
    { name: t('overview.input'), value: format.count(stat.prompt_tokens) },
    { name: t('overview.output'), value: format.count(stat.completion_tokens) },
    // A sum of only unpriced calls isn't a price.
    {
      name: t('overview.spent'),
      value: stat.quota === 0 && stat.calls > 0 ? t('common.unpriced') : format.money(stat.quota),
      muted: stat.quota === 0 && stat.calls > 0,
    },
    {
      name: t('overview.rate'),
      value: t('overview.perMinute', { calls: format.count(stat.rpm) }),
      detail: t('overview.tokensPerMinute', { tokens: format.count(stat.tpm) }),
      muted: true,
    },
  ]
  return <Figures figures={figures} label={t('overview.today')} />
}
