import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../components/actions/confirm-dialog.tsx'
import { useAction, useOperation } from '../../../gateway/queries.ts'

const counted = { keyword: '', p: 1, page_size: 1 }
const redeemable = '1'

/** Asks first, with the number of codes. */
export function DeleteInvalidButton() {
  const { t } = useTranslation()
  const [asking, question] = useDisclosure(false)
  const remove = useAction('redemption.delete-invalid', ['redemption.search'])
  const enabled = { enabled: asking }
  const all = useOperation('redemption.search', { ...counted, status: '' }, enabled)
  const good = useOperation('redemption.search', { ...counted, status: redeemable }, enabled)
  const count = all.data && good.data ? all.data.total - good.data.total : null

  const confirm = async () => {
    if (count !== null && (await remove.run({}))) question.close()
  }
  const close = () => {
    remove.cancel()
    remove.reset()
    question.close()
  }

  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={14} />} onClick={question.open}>
        {t('redeem.deleteInvalid')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('redeem.deleteInvalid')}
        text={count === null ? t('redeem.counting') : t('redeem.deleteInvalidText', { count })}
        verb={t('redeem.deleteInvalid')}
        busyLabel={t('common.deleting')}
        busy={remove.busy}
        failure={remove.failure ?? all.error ?? good.error}
        onConfirm={() => void confirm()}
        onCancelRun={remove.cancel}
        onClose={close}
      />
    </>
  )
}
