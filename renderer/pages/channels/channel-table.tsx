import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ChannelRecord } from '../../gateway/records.ts'
import { ChannelRow } from './channel-row.tsx'

interface ChannelTableProps {
  channels: readonly ChannelRecord[]
  onOpen: (id: number) => void
}

/** One row a channel: switch, name, models, order, last test, actions. */
export function ChannelTable({ channels, onOpen }: ChannelTableProps) {
  const { t } = useTranslation()
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={56}>{t('channels.status')}</Table.Th>
          <Table.Th>{t('channels.name')}</Table.Th>
          <Table.Th className="wide-only">{t('channels.models')}</Table.Th>
          <Table.Th className="numeric wide-only">{t('channels.order')}</Table.Th>
          <Table.Th className="numeric wide-only">{t('channels.lastTest')}</Table.Th>
          <Table.Th w={120} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {channels.map((channel) => (
          <ChannelRow key={channel.id} channel={channel} onOpen={() => onOpen(channel.id)} />
        ))}
      </Table.Tbody>
    </Table>
  )
}
