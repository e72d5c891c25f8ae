import { Anchor, Table } from '@mantine/core'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { useFormat } from '../../../components/format/use-format.ts'
import type { CallRecord } from '../../../gateway/records.ts'
import { readCallFacts } from '../call-facts.ts'
import { approximate } from '../cells/approximate.ts'
import { CallBadges } from '../cells/call-badges.tsx'
import { CallCost } from '../cells/call-cost.tsx'
import { CallStatus } from '../cells/call-status.tsx'
import styles from './call-table.module.css'

/** A click anywhere on the row opens the call on Calls. */
export function CallRow({ call }: { call: CallRecord }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [, navigate] = useLocation()
  const facts = readCallFacts(call)
  const { request_id: id } = call
  const path = id ? `/calls?open=${encodeURIComponent(id)}` : '/calls'
  const time = format.time(call.created_at)
  const tokens = (count: number | null) => approximate(format.count(count), facts.estimated)
  const openByRow = (event: MouseEvent) => {
    // A click on the link, or one that selects text, has its own meaning.
    if ((event.target as Element).closest('a') || window.getSelection()?.toString()) return
    navigate(path)
  }
  return (
    <Table.Tr className={styles.row} onClick={openByRow}>
      <Table.Td className={styles.time} title={format.fullTime(call.created_at)}>
        <Anchor component={Link} href={path} c="inherit" aria-label={t('calls.details', { time })}>
          {time}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <CallStatus facts={facts} />
      </Table.Td>
      {facts.event ? (
        <Table.Td className={styles.event} colSpan={7} title={call.content}>
          {call.content || '–'}
        </Table.Td>
      ) : (
        <>
          <Table.Td className={styles.model} title={call.model_name}>
            <span className={styles.badges}>
              <span className={styles.modelName}>{call.model_name || '–'}</span>
              <CallBadges facts={facts} isRefused={false} />
            </span>
          </Table.Td>
          <Table.Td className={`wide-only ${styles.name}`}>{call.token_name || '–'}</Table.Td>
          <Table.Td className={`wide-only ${styles.name}`}>{call.channel_name || '–'}</Table.Td>
          <Table.Td className="numeric wide-only">{tokens(facts.inputTokens)}</Table.Td>
          <Table.Td className="numeric wide-only">{tokens(facts.outputTokens)}</Table.Td>
          <Table.Td className="numeric wide-only">{format.duration(facts.duration)}</Table.Td>
          <Table.Td className="numeric">
            <CallCost facts={facts} />
          </Table.Td>
        </>
      )}
    </Table.Tr>
  )
}
