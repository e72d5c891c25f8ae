import { Badge } from '@mantine/core'
import type { CallFacts } from './call-facts.ts'

const clientGone = 499

/** The HTTP status of a call, coloured by its outcome. */
export function CallStatus({ facts }: { facts: CallFacts }) {
  const { status } = facts
  const color = facts.cancelled || status === clientGone ? 'gray' : facts.failed ? 'red' : 'green'
  return (
    <Badge color={color} ff="monospace">
      {status ?? '–'}
    </Badge>
  )
}
