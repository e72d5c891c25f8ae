import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { Busy } from '../../../components/feedback/busy.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { DeleteSelected } from '../../../components/selection/delete-selected.tsx'
import { SelectionBar } from '../../../components/selection/selection-bar.tsx'
import type { RowSelection } from '../../../components/selection/use-row-selection.ts'
import { useAction } from '../../../gateway/queries.ts'
import { channelQueries } from '../channel-queries.ts'
import { BulkTagDialog } from './bulk-tag-dialog.tsx'
import type { ChannelTests } from './use-channel-tests.ts'

interface BulkActionsProps {
  selection: RowSelection
  tests: ChannelTests
}

export function BulkActions({ selection, tests }: BulkActionsProps) {
  const { t } = useTranslation()
  const [tagging, tagDialog] = useDisclosure(false)
  const setStatus = useAction('channel.batch-status', channelQueries)
  const ids = [...selection.ids]
  const count = ids.length

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
            <DeleteSelected
              selection={selection}
              deletes="channel.batch-delete"
              reads={channelQueries}
              title={t('channelBulk.deleteTitle', { count })}
              text={t('channelBulk.deleteText', { count })}
            />
          </>
        )}
      </SelectionBar>
      <FailureNote failure={setStatus.failure} />
      {tagging && <BulkTagDialog ids={ids} onClose={tagDialog.close} />}
    </>
  )
}
