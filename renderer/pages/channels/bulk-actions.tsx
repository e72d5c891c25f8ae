import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Busy } from '../../components/busy.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { FailureNote } from '../../components/failure-note.tsx'
import { SelectionBar } from '../../components/selection/selection-bar.tsx'
import type { RowSelection } from '../../components/selection/use-row-selection.ts'
import { useAction } from '../../gateway/queries.ts'
import { BulkTagDialog } from './bulk-tag-dialog.tsx'
import { channelReads } from './channel-reads.ts'
import type { ChannelTests } from './use-channel-tests.ts'

interface BulkActionsProps {
  selection: RowSelection
  tests: ChannelTests
}

/** What can be done with several channels at once. */
export function BulkActions({ selection, tests }: BulkActionsProps) {
  const { t } = useTranslation()
  const [asking, question] = useDisclosure(false)
  const [tagging, tagDialog] = useDisclosure(false)
  const setStatus = useAction('channel.batch-status', channelReads)
  const remove = useAction('channel.batch-delete', channelReads)
  const ids = [...selection.ids]
  const count = ids.length

  const confirmDelete = async () => {
    if (!(await remove.run({ ids }))) return
    selection.clear()
    question.close()
  }
  const closeQuestion = () => {
    remove.cancel()
    remove.reset()
    question.close()
  }
  return (
    <>
      <SelectionBar selection={selection}>
        {setStatus.busy ? (
          <Busy label={t('channelBulk.changing')} onCancel={setStatus.cancel} />
        ) : (
          <>
            <Button variant="default" onClick={() => void setStatus.run({ ids, status: 1 })}>
              {t('channelBulk.enable')}
            </Button>
            <Button variant="default" onClick={() => void setStatus.run({ ids, status: 2 })}>
              {t('channelBulk.disable')}
            </Button>
            <Button variant="default" onClick={() => void tests.run(ids)}>
              {t('channels.test')}
            </Button>
            <Button variant="default" onClick={tagDialog.open}>
              {t('channelBulk.setTag')}
            </Button>
            <Button
              variant="default"
              c="var(--bad)"
              leftSection={<IconTrash size={14} />}
              onClick={question.open}
            >
              {t('common.delete')}
            </Button>
          </>
        )}
      </SelectionBar>
      <FailureNote failure={setStatus.failure} />
      {tagging && <BulkTagDialog ids={ids} onClose={tagDialog.close} />}
      <ConfirmDialog
        opened={asking}
        title={t('channelBulk.deleteTitle', { count })}
        text={t('channelBulk.deleteText', { count })}
        verb={t('channelBulk.deleteTitle', { count })}
        busyLabel={t('common.deleting')}
        busy={remove.busy}
        failure={remove.failure}
        onConfirm={() => void confirmDelete()}
        onCancelRun={remove.cancel}
        onClose={closeQuestion}
      />
    </>
  )
}
