import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { CallFailure } from '../../gateway/call-failure.ts'

interface FailureNoteProps {
  failure: CallFailure | null
  onRetry?: () => void
}

export function FailureNote({ failure, onRetry }: FailureNoteProps) {
  const { t } = useTranslation()
  if (!failure) return null
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle size={16} />}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Text style={{ overflowWrap: 'anywhere' }}>{failure.message}</Text>
        {onRetry && (
          <Button variant="default" size="compact-xs" onClick={onRetry} flex="none">
            {t('common.retry')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
