import { Group, Table, Text } from '@mantine/core'
import { IconArrowBackUp, IconNote } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../components/format/use-format.ts'
import type { OrderRecord } from '../../gateway/records.ts'
import { useSentence } from '../../i18n/use-sentence.ts'
import styles from './payments.module.css'

/** The row below an order: clawed-back credit, and what was noted. */
export function OrderNotes({ order }: { order: OrderRecord }) {
  const { t } = useTranslation()
  const format = useFormat()
  const say = useSentence()
  if (order.notes.length === 0 && order.clawed_back === 0) return null
  return (
    <Table.Tr className={styles.notes}>
      <Table.Td colSpan={9}>
        {order.clawed_back !== 0 && (
          <Group gap={8} wrap="nowrap">
            <IconArrowBackUp size={15} aria-hidden className={styles.icon} />
            <Text>{t('payments.clawedBack', { amount: format.money(order.clawed_back) })}</Text>
          </Group>
        )}
        {order.notes.length > 0 && (
          <Group gap={8} wrap="nowrap">
            <IconNote size={15} aria-hidden className={styles.icon} />
            <Text className={styles.sentence}>{order.notes.map(say).join(' ')}</Text>
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
