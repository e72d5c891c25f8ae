import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Snippet } from '../../components/actions/snippet.tsx'
import { ConnectCommands } from '../../components/connect/connect-commands.tsx'
import type { TokenRecord } from '../../gateway/records.ts'

interface KeyDialogProps {
  title: string
  hint?: string
  token: TokenRecord
  /** `sk-…` */
  tokenKey: string
  onClose: () => void
}

export function KeyDialog({ title, hint, token, tokenKey, onClose }: KeyDialogProps) {
  const { t } = useTranslation()
  const limits = token.model_limits_enabled ? token.model_limits.split(',').filter(Boolean) : []
  return (
    <Modal
      opened
      onClose={onClose}
      size={620}
      title={title}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack gap="sm">
        {hint && <Text c="dimmed">{hint}</Text>}
        <Snippet text={tokenKey} label={t('tokens.key')} />
        <Text fw={600} mt={4}>
          {t('tokens.connect')}
        </Text>
        <ConnectCommands tokenKey={tokenKey} limits={limits} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('tokens.done')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
