import { useTranslation } from 'react-i18next'
import { type CallFacts, clientGone } from '../call-facts.ts'
import { Tag } from './tag.tsx'

interface CallStatusProps {
  facts: CallFacts
  isRunning?: boolean
}

/** The HTTP status of a call. A stream that was cut has not the color of an answer. */
export function CallStatus({ facts, isRunning }: CallStatusProps) {
  const { t } = useTranslation()
  const { status, cut, cancelled, failed } = facts
  if (isRunning) return <Tag color="blue">{t('callList.running')}</Tag>
  const isGone = cancelled || status === clientGone
  return (
    <Tag color={isGone ? 'gray' : cut ? 'orange' : failed ? 'red' : 'green'} isMono>
      {status ?? '–'}
    </Tag>
  )
}
