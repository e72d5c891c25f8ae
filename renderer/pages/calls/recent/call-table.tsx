import { useTranslation } from 'react-i18next'
import { PlainTable } from '../../../components/table/plain-table.tsx'
import type { TimelineRow } from '../../../gateway/records.ts'
import { CallRow } from './call-row.tsx'

interface CallTableProps {
  calls: readonly TimelineRow[]
  /** When they were read, in milliseconds since 1970. */
  readAt: number
  label: string
}

/** Running and latest calls in brief, each a link to its row on Calls. */
export function CallTable({ calls, readAt, label }: CallTableProps) {
  const { t } = useTranslation()
  return (
    <PlainTable label={label}>
      <thead>
        <tr>
          <th>{t('calls.time')}</th>
          <th>{t('calls.status')}</th>
          <th>{t('calls.model')}</th>
          <th className="wide-only">{t('overview.tool')}</th>
          <th className="numeric wide-only">{t('calls.duration')}</th>
          <th className="numeric">{t('calls.cost')}</th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <CallRow key={call.request_id ?? call.id} call={call} readAt={readAt} />
        ))}
      </tbody>
    </PlainTable>
  )
}
