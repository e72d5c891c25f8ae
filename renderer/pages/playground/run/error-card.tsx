import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../../components/actions/copy-text.tsx'
import type { GatewaySentence } from '../../../i18n/sentence-of.ts'
import { useFailureText } from '../../../i18n/use-sentence.ts'
import type { AnswerFailure } from './answer-failure.ts'

/** What is said of a failure without a message. */
const textOf = {
  refused: 'playground.cut',
  cut: 'playground.cut',
  unreadable: 'playground.unreadable',
  settings: 'chat.notSentSettings',
} as const

interface ErrorCardProps {
  failure: AnswerFailure
  /** "No image" */
  title: string
  /** As the gateway booked it. */
  reason?: GatewaySentence['reason']
}

export function ErrorCard({ failure, title, reason }: ErrorCardProps) {
  const { t } = useTranslation()
  const failureText = useFailureText()
  const facts = [failure.status !== null && failure.status >= 400 && failure.status, failure.code]
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertTriangle size={16} />}
      title={title}
      // A narrow column breaks the sentence, not hides its end.
      styles={{ body: { minWidth: 0 } }}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>
        {failure.problem === 'file'
          ? t('chat.fileGone', { name: failure.message })
          : failure.message !== null
            ? failureText(failure.code, failure.message, reason)
            : t(textOf[failure.problem])}
      </Text>
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
