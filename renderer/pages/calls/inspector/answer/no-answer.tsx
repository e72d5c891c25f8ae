import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { GatewaySentence } from '../../../../i18n/sentence-of.ts'
import { useFailureText } from '../../../../i18n/use-sentence.ts'

/** Why an answer never began. */
export function NoAnswer({ failure }: { failure: (GatewaySentence & { code: string }) | null }) {
  const { t } = useTranslation()
  const failureText = useFailureText()
  return (
    <Text c="dimmed" p={8} style={{ overflowWrap: 'anywhere' }}>
      {failure
        ? `${failure.code}: ${failureText(failure.code, failure.message, failure.reason)}`
        : t('inspector.noAnswer')}
    </Text>
  )
}
