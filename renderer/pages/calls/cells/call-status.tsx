import { useTranslation } from 'react-i18next'
import { type CallFacts, clientGone } from '../call-facts.ts'
import { Tag } from './tag.tsx'

interface CallStatusProps {
  facts: CallFacts
  isRunning?: boolean
}

/** The HTTP status of a call, or the kind of an event. A stream that was cut has not the color of an answer. */
export function CallStatus({ facts, isRunning }: CallStatusProps) {
  const { t } = useTranslation()
  const { status, event, cut, cancelled, failed } = facts
  if (isRunning) return <Tag color="blue">{t('callList.running')}</Tag>
  if (event) return <Tag color="gray">{t(`calls.event_${event}`)}</Tag>
  const isGone = cancelled || status === clientGone
  return (
    <Tag color={isGone ? 'gray' : cut ? 'orange' : failed ? 'red' : 'green'} isMono>
      {status ?? '–'}
    </Tag>
  )
}
