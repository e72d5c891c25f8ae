import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { approximate } from '../../components/format/approximate.ts'
import { useFormat } from '../../components/format/use-format.ts'
import { isUnpriced } from '../../components/format/use-sum-cost.ts'
import type { UsageSum } from './usage-sums.ts'

/** Unpriced calls are counted, never shown as free. */
export function UsageCost({ sum }: { sum: UsageSum }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (isUnpriced(sum)) {
    return (
      <Text span c="dimmed">
        {t('common.unpriced')}
      </Text>
    )
  }
  return (
    <>
      {approximate(format.money(sum.quota), sum.estimated > 0)}
      {sum.unpriced > 0 && (
        <Text span c="dimmed" display="block" fz={12}>
          {t('usage.andUnpriced', { count: sum.unpriced })}
        </Text>
      )}
    </>
  )
}
