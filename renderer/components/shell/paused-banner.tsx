import { Alert, Group, Text } from '@mantine/core'
import { IconPlayerPause } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ServerFacts } from '../../gateway/records.ts'
import { useFormat } from '../format/use-format.ts'
import { PauseButton } from './pause-button.tsx'

export function PausedBanner({ server }: { server: ServerFacts | undefined }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!server?.paused_since) return null
  return (
    <Alert color="orange" role="status" m="md" mb={0} icon={<IconPlayerPause size={16} />}>
      <Group gap="4px 12px">
        <Text>{t('shell.pausedSince', { time: format.time(server.paused_since) })}</Text>
        <PauseButton isPaused size="compact-xs" />
      </Group>
    </Alert>
  )
}
