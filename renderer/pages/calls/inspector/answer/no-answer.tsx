import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFailureText } from '../../../../i18n/use-sentence.ts'

/** Why an answer never began. */
export function NoAnswer({ failure }: { failure: { code: string; message: string } | null }) {
  const { t } = useTranslation()
  const failureText = useFailureText()
  return (
    <Text c="dimmed" p={8} style={{ overflowWrap: 'anywhere' }}>
      {failure
        ? `${failure.code}: ${failureText(failure.code, failure.message)}`
        : t('inspector.noAnswer')}
    </Text>
  )
}
