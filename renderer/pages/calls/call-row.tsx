import { ActionIcon, Badge, Table } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronRight } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../components/format/use-format.ts'
import type { CallRecord } from '../../gateway/records.ts'
import { CallCost } from './call-cost.tsx'
import { CallDetails } from './call-details.tsx'
import type { CallFacts } from './call-facts.ts'
import { readCallFacts } from './call-facts.ts'
import styles from './call-table.module.css'

interface CallRowProps {
  call: CallRecord
  brief: boolean
  startsOpen: boolean
}

/** A click anywhere on the row toggles its details. */
export function CallRow({ call, brief, startsOpen }: CallRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [opened, details] = useDisclosure(startsOpen)
  const facts = readCallFacts(call)
  const id = call.request_id ?? String(call.id)
  const toggleByRow = (event: MouseEvent) => {
    // A click on a button, or one that selects text, doesn't toggle the row.
    if ((event.target as Element).closest('button') || window.getSelection()?.toString()) return
    details.toggle()
  }

  return (
    <>
      <Table.Tr className={styles.row} onClick={toggleByRow}>
        <Table.Td>
          <ActionIcon
            size={22}
            onClick={details.toggle}
            aria-expanded={opened}
            aria-label={t(opened ? 'calls.hideDetails' : 'calls.details', { id })}
          >
            <IconChevronRight
              size={14}
              className={styles.chevron}
              data-open={opened || undefined}
            />
          </ActionIcon>
        </Table.Td>
        <Table.Td className={styles.time} title={format.fullTime(call.created_at)}>
          {format.time(call.created_at)}
        </Table.Td>
        <Table.Td>
          <CallStatus facts={facts} />
        </Table.Td>
        {facts.event ? (
          <Table.Td className={styles.event} colSpan={brief ? 7 : 8} title={call.content}>
            {call.content || '–'}
          </Table.Td>
        ) : (
          <>
            <Table.Td className={styles.model} title={call.model_name}>
              {call.model_name || '–'}
            </Table.Td>
            <Table.Td className={`wide-only ${styles.name}`}>{call.token_name || '–'}</Table.Td>
            <Table.Td className={`wide-only ${styles.name}`}>{call.channel_name || '–'}</Table.Td>
            <Table.Td className="numeric wide-only">{format.count(facts.inputTokens)}</Table.Td>
            <Table.Td className="numeric wide-only">{format.count(facts.outputTokens)}</Table.Td>
            {!brief && (
              <Table.Td className="numeric wide-only">{format.duration(facts.firstToken)}</Table.Td>
            )}
            <Table.Td className="numeric wide-only">{format.duration(facts.duration)}</Table.Td>
            <Table.Td className="numeric">
              <CallCost facts={facts} />
            </Table.Td>
          </>
        )}
      </Table.Tr>
      {opened && (
        <Table.Tr className={styles.details}>
          <Table.Td colSpan={brief ? 10 : 11}>
            <CallDetails call={call} facts={facts} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}

const clientGone = 499

/** The HTTP status of a call, or the kind of an event. */
function CallStatus({ facts }: { facts: CallFacts }) {
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
