import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChecks, IconDots, IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { ConfirmDialog } from '../../components/actions/confirm-dialog.tsx'
import { useFormat } from '../../components/format/use-format.ts'
import { type Action, useAction } from '../../gateway/queries.ts'
import type { OrderRecord } from '../../gateway/records.ts'
import styles from './payments.module.css'

interface OrderActionsProps {
  order: OrderRecord
  check: Action<'topup.check'>
  onCheck: () => void
  isAdministrator: boolean
}

export function OrderActions({ order, check, onCheck, isAdministrator }: OrderActionsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [asking, question] = useDisclosure(false)
  const complete = useAction('topup.complete', ['topup.list', 'topup.list-self', 'user.self'])
  const { trade_no, status } = order
  // A late payment still counts, so an expired order can be checked again.
  const canArrive =
    order.has_checkout && (status === 'pending' || status === 'expired' || status === 'failed')
  // A refund may be followed by another, or fail.
  const wasPaid = status === 'success' || status === 'refunded' || status === 'disputed'

  const confirm = async () => {
    if (await complete.run({ trade_no })) question.close()
  }
  const close = () => {
    complete.cancel()
    complete.reset()
    question.close()
  }

  return (
    <Group gap={4} wrap="nowrap" justify="flex-end" className={styles.actions}>
      {order.checkout_url !== '' && (
        <Button
          component="a"
          href={order.checkout_url}
          target="_blank"
          rel="noreferrer"
          size="compact-xs"
          aria-label={t('payments.payOrder', { name: trade_no })}
        >
          {t('payments.pay')}
        </Button>
      )}
      {(canArrive || check.busy) && (
        <ActionButton
          variant="default"
          size="compact-xs"
          busy={check.busy}
          busyLabel={t('payments.checking')}
          onCancel={check.cancel}
          onClick={onCheck}
          aria-label={t('payments.checkOrder', { name: trade_no })}
        >
          {t('payments.check')}
        </ActionButton>
      )}
      {isAdministrator && (status === 'pending' || wasPaid) && (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon aria-label={t('common.more', { name: trade_no })}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {status === 'pending' ? (
              <Menu.Item leftSection={<IconChecks size={14} />} onClick={question.open}>
                {t('payments.complete')}
              </Menu.Item>
            ) : (
              <Menu.Item leftSection={<IconRefresh size={14} />} onClick={onCheck}>
                {t('payments.checkRefund')}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      <ConfirmDialog
        opened={asking}
        title={t('payments.complete')}
        text={t('payments.completeText', {
          name: trade_no,
          amount: format.money(order.credit),
          user: order.username || `#${order.user_id}`,
        })}
        verb={t('payments.complete')}
        deletesNothing
        busyLabel={t('payments.completing')}
        busy={complete.busy}
        failure={complete.failure}
        onConfirm={() => void confirm()}
        onCancelRun={complete.cancel}
        onClose={close}
      />
    </Group>
  )
}
