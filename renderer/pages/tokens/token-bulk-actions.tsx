import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { SelectionBar } from '../../components/selection/selection-bar.tsx'
import type { RowSelection } from '../../components/selection/use-row-selection.ts'
import { useAction } from '../../gateway/queries.ts'

/** What can be done with several tokens at once. */
export function TokenBulkActions({ selection }: { selection: RowSelection }) {
  const { t } = useTranslation()
  const [asking, question] = useDisclosure(false)
  const remove = useAction('token.batch-delete', ['token.list'])
  const count = selection.ids.length

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
      <SelectionBar selection={selection}>
        <Button
          variant="default"
          c="var(--bad)"
          leftSection={<IconTrash size={14} />}
          onClick={question.open}
        >
          {t('common.delete')}
        </Button>
      </SelectionBar>
      <ConfirmDialog
        opened={asking}
        title={t('tokens.deleteManyTitle', { count })}
        text={t('tokens.deleteManyText', { count })}
        verb={t('tokens.deleteManyTitle', { count })}
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
