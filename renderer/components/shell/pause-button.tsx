import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../gateway/queries.ts'
import { roles, useRole } from '../../gateway/use-role.ts'
import { ActionButton } from '../actions/action-button.tsx'

interface PauseButtonProps {
  isPaused: boolean
  size?: string
}

/** Only the owner sees it. */
export function PauseButton({ isPaused, size = 'xs' }: PauseButtonProps) {
  const { t } = useTranslation()
  const reads = ['server.get', 'diagnostics.health'] as const
  const pause = useAction('server.pause', reads)
  const resume = useAction('server.resume', reads)
  const action = isPaused ? resume : pause
  if (useRole() < roles.owner) return null
  return (
    <Group gap={8}>
      <ActionButton
        variant="default"
        size={size}
        busy={action.busy}
        busyLabel={t(isPaused ? 'shell.resuming' : 'shell.pausing')}
        onCancel={action.cancel}
        onClick={() => void action.run({})}
      >
        {t(isPaused ? 'shell.resume' : 'shell.pause')}
      </ActionButton>
      {action.failure && (
        <Text role="alert" c="red">
          {action.failure.message}
        </Text>
      )}
    </Group>
  )
}
