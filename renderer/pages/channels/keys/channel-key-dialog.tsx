import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Snippet } from '../../../components/actions/snippet.tsx'
import { Busy } from '../../../components/feedback/busy.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { needsStepUp } from '../../../components/step-up/needs-step-up.ts'
import { StepUp } from '../../../components/step-up/step-up.tsx'
import type { CallFailure } from '../../../gateway/call-failure.ts'
import type { ChannelRecord } from '../../../gateway/records.ts'

interface ChannelKeyDialogProps {
  channel: ChannelRecord
  /** One key per line; null while loading. */
  channelKey: string | null
  busy: boolean
  failure: CallFailure | null
  onShow: () => void
  onClose: () => void
}

export function ChannelKeyDialog(props: ChannelKeyDialogProps) {
  const { channel, channelKey, busy, failure, onShow, onClose } = props
  const { t } = useTranslation()
  const { name } = channel
  if (needsStepUp(failure)) {
    return (
      <StepUp
        failure={failure}
        purpose={t('channelKeys.stepUp', { name })}
        onVerified={onShow}
        onClose={onClose}
      />
    )
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size={560}
      title={t('channelKeys.shownTitle', { name })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack gap="sm">
        {busy && <Busy label={t('channelKeys.showing')} onCancel={onClose} />}
        <FailureNote failure={failure} />
        {channelKey !== null && (
          <>
            <Text c="dimmed">{t('channelKeys.shownHint')}</Text>
            <Snippet text={channelKey} label={t('channelForm.key')} />
          </>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('channelKeys.done')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
