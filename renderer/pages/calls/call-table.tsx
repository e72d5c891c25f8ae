import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CallRecord } from '../../gateway/records.ts'
import { CallRow } from './call-row.tsx'
import styles from './call-table.module.css'

interface CallTableProps {
  calls: readonly CallRecord[]
  /** Fewer columns, for the overview. */
  brief?: boolean
  /** Request ID of the call whose details start open. */
  open?: string
}

export function CallTable({ calls, brief = false, open = '' }: CallTableProps) {
  const { t } = useTranslation()
  return (
    <Table className={styles.table} highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={36} />
          <Table.Th>{t('calls.time')}</Table.Th>
          <Table.Th>{t('calls.status')}</Table.Th>
          <Table.Th>{t('calls.model')}</Table.Th>
          <Table.Th className="wide-only">{t('calls.token')}</Table.Th>
          <Table.Th className="wide-only">{t('calls.channel')}</Table.Th>
          <Table.Th className="numeric wide-only">{t('calls.input')}</Table.Th>
          <Table.Th className="numeric wide-only">{t('calls.output')}</Table.Th>
          {!brief && <Table.Th className="numeric wide-only">{t('calls.firstToken')}</Table.Th>}
          <Table.Th className="numeric wide-only">{t('calls.duration')}</Table.Th>
          <Table.Th className="numeric">{t('calls.cost')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {calls.map((call) => (
          <CallRow
            key={call.id}
            call={call}
            brief={brief}
            startsOpen={open !== '' && call.request_id === open}
          />
        ))}
      </Table.Tbody>
    </Table>
  )
}
