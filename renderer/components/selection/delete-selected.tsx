import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../gateway/queries.ts'
import { ConfirmDialog } from '../actions/confirm-dialog.tsx'
import type { RowSelection } from './use-row-selection.ts'

interface DeleteSelectedProps {
  selection: RowSelection
  deletes: 'channel.batch-delete' | 'token.batch-delete'
  reads: Parameters<typeof useAction>[1]
  /** Names how many; also the label of the dialog's button. */
  title: string
  text: string
}

export function DeleteSelected({ selection, deletes, reads, title, text }: DeleteSelectedProps) {
  const { t } = useTranslation()
  const [asking, question] = useDisclosure(false)
  const remove = useAction(deletes, reads)
  const confirm = async () => {
    if (!(await remove.run({ ids: [...selection.ids] }))) return
    selection.clear()
    question.close()
  }
  const close = () => {
    remove.cancel()
    remove.reset()
    question.close()
  }
  return (
    <>
      <Button
        variant="default"
        c="var(--bad)"
        leftSection={<IconTrash size={14} />}
        onClick={question.open}
      >
        {t('common.delete')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={title}
        text={text}
        verb={title}
        busyLabel={t('common.deleting')}
        busy={remove.busy}
        failure={remove.failure}
        onConfirm={() => void confirm()}
        onCancelRun={remove.cancel}
        onClose={close}
      />
    </>
  )
}
