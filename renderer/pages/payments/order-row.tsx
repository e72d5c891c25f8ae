import { Badge, Box, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../components/actions/copy-text.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { useFormat } from '../../components/format/use-format.ts'
import { useAction } from '../../gateway/queries.ts'
import type { OrderRecord } from '../../gateway/records.ts'
import { OrderActions } from './order-actions.tsx'
import { OrderNotes } from './order-notes.tsx'
import styles from './payments.module.css'

const colors: Readonly<Record<OrderRecord['status'], string>> = {
  pending: 'blue',
  success: 'green',
  expired: 'gray',
  failed: 'red',
  refunded: 'orange',
  disputed: 'red',
}

const providers: Readonly<Record<OrderRecord['payment_provider'], string>> = {
  stripe: 'Stripe',
  creem: 'Creem',
}
const reads = ['topup.list', 'topup.list-self', 'user.self'] as const

interface OrderRowProps {
  order: OrderRecord
  isAdministrator: boolean
}

export function OrderRow({ order, isAdministrator }: OrderRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const check = useAction('topup.check', reads)
  const [isUnchanged, setUnchanged] = useState(false)
  const provider = order.payment_provider
  const isPartlyRefunded = order.status === 'refunded' && order.clawed_back < order.credit

  const runCheck = async () => {
    setUnchanged(false)
    const reply = await check.run({ trade_no: order.trade_no })
    const now = reply?.data
    if (now?.status === order.status && now.clawed_back === order.clawed_back) setUnchanged(true)
  }

  return (
    <>
      <Table.Tr>
        <Table.Td>
          <Badge color={colors[order.status]}>
            {t(isPartlyRefunded ? 'payments.state_partly' : `payments.state_${order.status}`)}
          </Badge>
          <div className={`below-widest ${styles.about}`}>
            {providers[provider]} · {format.time(order.create_time)}
          </div>
        </Table.Td>
        <Table.Td className="wide-only">
          <Box maw={85}>
            <CopyText value={order.trade_no} label={t('payments.tradeNo')} />
          </Box>
        </Table.Td>
        {isAdministrator && (
          <Table.Td className="wider-only rest">
            <span className="cut" title={order.username}>
              {order.username || `#${order.user_id}`}
            </span>
          </Table.Td>
        )}
        <Table.Td className="widest-only">{providers[provider]}</Table.Td>
        <Table.Td className="numeric">{format.money(order.credit)}</Table.Td>
        <Table.Td className="numeric widest-only">
          {order.price === null ? '–' : format.charge(order.price, order.currency)}
        </Table.Td>
        <Table.Td className="numeric widest-only">{format.time(order.create_time)}</Table.Td>
        <Table.Td className="numeric widest-only">{format.time(order.complete_time)}</Table.Td>
        <Table.Td>
          <OrderActions
            order={order}
            check={check}
            onCheck={() => void runCheck()}
            isAdministrator={isAdministrator}
          />
        </Table.Td>
      </Table.Tr>
      <OrderNotes order={order} />
      {(check.failure || isUnchanged) && (
        <Table.Tr>
          <Table.Td colSpan={9}>
            <FailureNote failure={check.failure} />
            {isUnchanged && (
              <Text role="status">
                {t('payments.unchanged', { provider: providers[provider] })}
              </Text>
            )}
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}
