import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../components/format/use-format.ts'
import type { CallFacts } from './call-facts.ts'

/** What a call cost: dollars, "unpriced" where the model has no price, a dash where nothing is known. */
export function CallCost({ facts }: { facts: CallFacts }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (facts.unpriced) {
    return (
      <Text span c="dimmed" fs="italic">
        {t('common.unpriced')}
      </Text>
    )
  }
  return <>{format.money(facts.quota)}</>
}
