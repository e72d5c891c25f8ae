import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../components/copy-text.tsx'
import type { ChatFailure } from './read-chat-stream.ts'

interface ErrorCardProps {
  failure: ChatFailure
  /** Some of the reply had come. */
  partly: boolean
}

/** Why there is no reply, in the vendor's own words. */
export function ErrorCard({ failure, partly }: ErrorCardProps) {
  const { t } = useTranslation()
  const facts = [failure.status !== null && failure.status >= 400 && failure.status, failure.code]
  return (
    <Alert
      color="red"
      role="alert"
      mt={partly ? 'sm' : 0}
      icon={<IconAlertTriangle size={16} />}
      title={t(partly ? 'playground.failedPartly' : 'playground.failed')}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>{failure.message ?? t('playground.cut')}</Text>
      <Text c="dimmed" fz={12} mt={4} component="div">
        {facts.filter(Boolean).join(' · ')}
        {failure.requestId && (
          <>
            {facts.some(Boolean) && ' · '}
            {t('playground.requestId')}{' '}
            <CopyText value={failure.requestId} label={t('playground.requestId')} />
          </>
        )}
      </Text>
    </Alert>
  )
}
