import { Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ActionsHead } from '../../components/table/actions-head.tsx'
import type { OrderRecord } from '../../gateway/records.ts'
import { OrderRow } from './order-row.tsx'

interface OrderTableProps {
  orders: readonly OrderRecord[]
  isAdministrator: boolean
}

export function OrderTable({ orders, isAdministrator }: OrderTableProps) {
  const { t } = useTranslation()
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('payments.status')}</Table.Th>
          <Table.Th className="wide-only">{t('payments.tradeNo')}</Table.Th>
          {isAdministrator && <Table.Th className="wider-only">{t('payments.user')}</Table.Th>}
          <Table.Th className="widest-only">{t('payments.provider')}</Table.Th>
          <Table.Th className="numeric">{t('payments.credit')}</Table.Th>
          <Table.Th className="numeric widest-only">{t('payments.money')}</Table.Th>
          <Table.Th className="numeric widest-only">{t('payments.created')}</Table.Th>
          <Table.Th className="numeric widest-only">{t('payments.completed')}</Table.Th>
          <ActionsHead />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {orders.map((order) => (
          <OrderRow key={order.id} order={order} isAdministrator={isAdministrator} />
        ))}
      </Table.Tbody>
    </Table>
  )
}
