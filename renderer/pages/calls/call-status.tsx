import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CallFacts } from './call-facts.ts'

const clientGone = 499

/** The HTTP status of a call, or the kind of an event. */
export function CallStatus({ facts }: { facts: CallFacts }) {
  const { t } = useTranslation()
  const { status, event } = facts
  if (event)
    return (
      <Badge color="gray" miw="max-content">
        {t(`calls.event_${event}`)}
      </Badge>
    )
  const color = facts.cancelled || status === clientGone ? 'gray' : facts.failed ? 'red' : 'green'
  return (
    <Badge color={color} ff="monospace">
      {status ?? '–'}
    </Badge>
  )
}
