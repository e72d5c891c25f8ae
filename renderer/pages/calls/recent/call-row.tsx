import { Anchor } from '@mantine/core'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { useFormat } from '../../../components/format/use-format.ts'
import type { TimelineRow } from '../../../gateway/records.ts'
import { readCallFacts } from '../call-facts.ts'
import { CallCost } from '../cells/call-cost.tsx'
import { CallStatus } from '../cells/call-status.tsx'
import { Elapsed } from '../cells/elapsed.tsx'
import styles from './call-table.module.css'

/** A click anywhere on the row opens the call on Calls. */
export function CallRow({ call, readAt }: { call: TimelineRow; readAt: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [, navigate] = useLocation()
  const facts = readCallFacts(call)
  const { request_id: id } = call
  const path = id ? `/calls?open=${encodeURIComponent(id)}` : '/calls'
  const time = format.time(call.created_at)
  const isRunning = call.kind === 'running'
  const openByRow = (event: MouseEvent) => {
    // A click on the link, or one that selects text, has its own meaning.
    if ((event.target as Element).closest('a') || window.getSelection()?.toString()) return
    navigate(path)
  }
  return (
    <tr className={styles.row} onClick={openByRow}>
      <td className={styles.time} title={format.fullTime(call.created_at)}>
        <Anchor component={Link} href={path} c="inherit" aria-label={t('calls.details', { time })}>
          {time}
        </Anchor>
      </td>
      <td>
        <CallStatus facts={facts} isRunning={isRunning} />
      </td>
      <td className={styles.model} title={call.model_name}>
        {call.model_name || '–'}
      </td>
      <td className={`wide-only ${styles.name}`}>
        {call.token_name || (call.token_id === 0 ? t('usage.noToken') : '–')}
      </td>
      <td className="numeric wide-only">
        {isRunning ? (
          <Elapsed since={readAt - call.use_time_ms} />
        ) : (
          format.duration(facts.duration)
        )}
      </td>
      <td className="numeric">{isRunning ? '–' : <CallCost facts={facts} />}</td>
    </tr>
  )
}
