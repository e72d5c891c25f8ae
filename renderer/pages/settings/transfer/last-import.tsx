import { Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { useFormat } from '../../../components/format/use-format.ts'
import { useAction, useOperation } from '../../../gateway/queries.ts'

/** The latest import and the way back, as long as there is one, or why there is none any more. */
export function LastImport({ onUndone }: { onUndone?: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: last } = useOperation('transfer.last', {}, { forget: true })
  const undo = useAction('transfer.undo', [
    'option.list',
    'channel.list',
    'token.list',
    'transfer.last',
  ])
  if (!last) return null
  const { undo_id, at, added, changed, blocked } = last
  const takeBack = async () => {
    if (await undo.run({ undo_id })) onUndone?.()
  }
  return (
    <Stack gap="md">
      <Group gap={12}>
        <div>
          <Text role="status">{t('transfer.applied', { added, changed })}</Text>
          <Text c="dimmed" fz={12}>
            {format.fullTime(at)}
            {blocked && ` · ${t(`transfer.blocked_${blocked}`)}`}
          </Text>
        </div>
        {!blocked && (
          <ActionButton
            variant="default"
            busy={undo.busy}
            busyLabel={t('transfer.undoing')}
            onCancel={undo.cancel}
            onClick={() => void takeBack()}
          >
            {t('transfer.undo')}
          </ActionButton>
        )}
      </Group>
      <FailureNote failure={undo.failure} />
    </Stack>
  )
}
