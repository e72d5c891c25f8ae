import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TimelineRow } from '../../../gateway/records.ts'
import { CallRow } from './call-row.tsx'
import styles from './call-table.module.css'

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
    <Table className={styles.table} highlightOnHover aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('calls.time')}</Table.Th>
          <Table.Th>{t('calls.status')}</Table.Th>
          <Table.Th>{t('calls.model')}</Table.Th>
          <Table.Th className="wide-only">{t('overview.tool')}</Table.Th>
          <Table.Th className="numeric wide-only">{t('calls.duration')}</Table.Th>
          <Table.Th className="numeric">{t('calls.cost')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {calls.map((call) => (
          <CallRow key={call.request_id ?? call.id} call={call} readAt={readAt} />
        ))}
      </Table.Tbody>
    </Table>
  )
}
