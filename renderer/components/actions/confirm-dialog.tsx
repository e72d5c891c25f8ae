import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CallFailure } from '../../gateway/call-failure.ts'
import { FailureNote } from '../feedback/failure-note.tsx'
import { ActionButton } from './action-button.tsx'

interface ConfirmDialogProps {
  opened: boolean
  title: string
  /** Names the thing and says what its deletion entails. */
  text: string
  /** "Delete channel". */
  verb: string
  /** Nothing is deleted: Cancel stands for “Keep it”. */
  deletesNothing?: boolean
  busyLabel: string
  busy: boolean
  failure: CallFailure | null
  onConfirm: () => void
  onCancelRun: () => void
  onClose: () => void
}

/** A failure is shown inside the dialog. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={props.title}
      size="sm"
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack gap="md">
        <Text style={{ overflowWrap: 'anywhere' }}>{props.text}</Text>
        <FailureNote failure={props.failure} />
        <Group justify="flex-end" gap={8}>
          {!props.busy && (
            <Button variant="default" onClick={props.onClose} data-autofocus>
              {t(props.deletesNothing ? 'common.cancel' : 'common.keep')}
            </Button>
          )}
          <ActionButton
            color="red"
            busy={props.busy}
            busyLabel={props.busyLabel}
            onCancel={props.onCancelRun}
            onClick={props.onConfirm}
          >
            {props.verb}
          </ActionButton>
        </Group>
      </Stack>
    </Modal>
  )
}
