import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { saveFile } from '../../../components/actions/save-file.ts'
import { Snippet } from '../../../components/actions/snippet.tsx'

interface NewCodesDialogProps {
  codes: readonly string[]
  onClose: () => void
}

export function NewCodesDialog({ codes, onClose }: NewCodesDialogProps) {
  const { t } = useTranslation()
  const text = codes.join('\n')
  return (
    <Modal
      opened
      onClose={onClose}
      size={520}
      title={t('redeem.createdTitle', { count: codes.length })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack gap="sm">
        <Text c="dimmed">{t('redeem.createdHint')}</Text>
        <div style={{ maxHeight: '46vh', overflowY: 'auto' }}>
          <Snippet text={text} label={t('redeem.newCodes')} />
        </div>
        <Group justify="flex-end" gap={8}>
          <Button
            variant="default"
            leftSection={<IconDownload size={14} />}
            onClick={() => saveFile('redemption-codes.txt', `${text}\n`, 'text/plain')}
          >
            {t('redeem.downloadText')}
          </Button>
          <Button onClick={onClose}>{t('redeem.done')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
