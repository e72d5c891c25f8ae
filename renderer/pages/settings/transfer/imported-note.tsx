import { Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../../preload/contract.ts'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { useAction } from '../../../gateway/queries.ts'

interface ImportedNoteProps {
  applied: OperationOutput<'transfer.apply'>
  onUndone: () => void
}

/** How much was imported, and the way back. */
export function ImportedNote({ applied, onUndone }: ImportedNoteProps) {
  const { t } = useTranslation()
  const undo = useAction('transfer.undo', ['option.list', 'channel.list', 'token.list'])
  const takeBack = async () => {
    if (await undo.run({ undo_id: applied.undo_id })) onUndone()
  }
  return (
    <Stack gap="md">
      <Group gap={12}>
        <Text role="status">
          {t('transfer.applied', {
            added: applied.applied.reduce((sum, { added }) => sum + added, 0),
            changed: applied.applied.reduce((sum, { changed }) => sum + changed, 0),
          })}
        </Text>
        <ActionButton
          variant="default"
          busy={undo.busy}
          busyLabel={t('transfer.undoing')}
          onCancel={undo.cancel}
          onClick={() => void takeBack()}
        >
          {t('transfer.undo')}
        </ActionButton>
      </Group>
      <FailureNote failure={undo.failure} />
    </Stack>
  )
}
