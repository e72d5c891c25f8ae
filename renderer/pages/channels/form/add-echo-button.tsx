import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { useAction, useOperation } from '../../../gateway/queries.ts'
import { draftOfPreset, echoType, fieldsOfDraft } from './channel-draft.ts'

interface AddEchoButtonProps {
  variant?: 'filled' | 'default'
  onAdded?: () => void
}

export function AddEchoButton({ variant = 'filled', onAdded }: AddEchoButtonProps) {
  const { t } = useTranslation()
  const presets = useOperation('channel.presets', {})
  const create = useAction('channel.create', ['channel.search', 'channel.list', 'user.models'])
  const echo = presets.data?.find((preset) => preset.type === echoType)
  const add = async () => {
    if (!echo) return
    const channel = fieldsOfDraft(draftOfPreset(echo))
    const reply = await create.run({ mode: 'single', channel })
    if (reply) onAdded?.()
  }
  return (
    <Stack gap="xs" align="flex-start">
      <ActionButton
        variant={variant}
        disabled={!echo}
        busy={create.busy}
        busyLabel={t('channels.addingEcho')}
        onCancel={create.cancel}
        onClick={() => void add()}
      >
        {t('channels.addEcho')}
      </ActionButton>
      <FailureNote failure={create.failure} />
    </Stack>
  )
}
