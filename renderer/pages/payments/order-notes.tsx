import { Group, Table, Text } from '@mantine/core'
import { IconArrowBackUp, IconNote } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../components/format/use-format.ts'
import type { OrderRecord } from '../../gateway/records.ts'
import styles from './payments.module.css'

/** The row below an order: clawed-back credit and the provider's note. */
export function OrderNotes({ order }: { order: OrderRecord }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!order.note && order.clawed_back === 0) return null
  return (
    <Table.Tr className={styles.notes}>
      <Table.Td colSpan={9}>
        {order.clawed_back !== 0 && (
          <Group gap={8} wrap="nowrap">
            <IconArrowBackUp size={15} aria-hidden className={styles.icon} />
            <Text>{t('payments.clawedBack', { amount: format.money(order.clawed_back) })}</Text>
          </Group>
        )}
        {order.note && (
          <Group gap={8} wrap="nowrap">
            <IconNote size={15} aria-hidden className={styles.icon} />
            <Text className={styles.sentence}>{order.note}</Text>
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
