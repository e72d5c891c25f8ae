import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { approximate } from '../../../components/format/approximate.ts'
import { useFormat } from '../../../components/format/use-format.ts'
import type { CallFacts } from '../call-facts.ts'

/** US dollars, "unpriced" for a model without a price, a dash for an unknown cost. */
export function CallCost({ facts }: { facts: CallFacts }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (facts.unpriced) {
    return (
      <Text span c="dimmed">
        {t('common.unpriced')}
      </Text>
    )
  }
  const money = format.money(facts.quota)
  if (facts.imageToolUnpriced) return <>{`≥ ${money}`}</>
  return <>{approximate(money, facts.estimated || facts.tierUnpriced)}</>
}
