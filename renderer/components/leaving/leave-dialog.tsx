import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface LeaveDialogProps {
  opened: boolean
  title: string
  text: string
  stay: string
  leave: string
  onStay: () => void
  onLeave: () => void
}

/** Asks before edits are lost. */
export function LeaveDialog(props: LeaveDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={props.opened}
      onClose={props.onStay}
      title={props.title}
      size="sm"
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack gap="md">
        <Text>{props.text}</Text>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={props.onStay} data-autofocus>
            {props.stay}
          </Button>
          <Button color="red" onClick={props.onLeave}>
            {props.leave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
