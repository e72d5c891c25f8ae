import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useHealthById } from '../../../components/channel-health/use-channel-health.ts'
import { SelectHead } from '../../../components/selection/select-cells.tsx'
import type { RowSelection } from '../../../components/selection/use-row-selection.ts'
import { ActionsHead } from '../../../components/table/actions-head.tsx'
import type { ChannelRecord } from '../../../gateway/records.ts'
import { ChannelRow } from './channel-row.tsx'
import type { ChannelTests } from './use-channel-tests.ts'

interface ChannelTableProps {
  channels: readonly ChannelRecord[]
  selection: RowSelection
  tests: ChannelTests
  /** Absent when the page has several tables. */
  withSelectAll: boolean
  onOpen: (id: number) => void
}

export function ChannelTable(props: ChannelTableProps) {
  const { channels, selection, tests, withSelectAll, onOpen } = props
  const { t } = useTranslation()
  const health = useHealthById()
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <SelectHead selection={selection} selectsAll={withSelectAll} />
          <Table.Th w={56}>{t('channels.status')}</Table.Th>
          <Table.Th>{t('channels.name')}</Table.Th>
          <Table.Th className="widest-only">{t('channels.models')}</Table.Th>
          <Table.Th className="numeric widest-only">{t('channels.order')}</Table.Th>
          <Table.Th className="numeric wider-only">{t('channels.lastTest')}</Table.Th>
          <Table.Th className="numeric wider-only">{t('channels.balance')}</Table.Th>
          <ActionsHead width={120} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {channels.map((channel) => (
          <ChannelRow
            key={channel.id}
            channel={channel}
            health={health.get(channel.id)}
            selection={selection}
            tests={tests}
            onOpen={() => onOpen(channel.id)}
          />
        ))}
      </Table.Tbody>
    </Table>
  )
}
