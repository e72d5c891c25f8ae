import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CallRecord } from '../../../gateway/records.ts'
import { CallRow } from './call-row.tsx'
import styles from './call-table.module.css'

/** The last calls in brief, each a link to its row on Calls. */
export function CallTable({ calls }: { calls: readonly CallRecord[] }) {
  const { t } = useTranslation()
  return (
    <Table className={styles.table} highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('calls.time')}</Table.Th>
          <Table.Th>{t('calls.status')}</Table.Th>
          <Table.Th>{t('calls.model')}</Table.Th>
          <Table.Th className="wide-only">{t('calls.token')}</Table.Th>
          <Table.Th className="wide-only">{t('calls.channel')}</Table.Th>
          <Table.Th className="numeric wide-only">{t('calls.input')}</Table.Th>
          <Table.Th className="numeric wide-only">{t('calls.output')}</Table.Th>
          <Table.Th className="numeric wide-only">{t('calls.duration')}</Table.Th>
          <Table.Th className="numeric">{t('calls.cost')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {calls.map((call) => (
          <CallRow key={call.id} call={call} />
        ))}
      </Table.Tbody>
    </Table>
  )
}
