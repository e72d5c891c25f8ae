import { Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { saveFile } from '../../../components/actions/save-file.ts'
import { Snippet } from '../../../components/actions/snippet.tsx'

interface BackupCodesProps {
  codes: readonly string[]
  /** Left out where another button ends the step. */
  onDone?: () => void
}

export function BackupCodes({ codes, onDone }: BackupCodesProps) {
  const { t } = useTranslation()
  const text = codes.join('\n')
  return (
    <Stack gap={6} maw={420}>
      <Text fw={500}>{t('security.backupCodes')}</Text>
      <Text c="dimmed">{t('security.backupCodesHint')}</Text>
      <Snippet text={text} label={t('security.backupCodes')} />
      <Group gap={8}>
        <Button
          variant="default"
          leftSection={<IconDownload size={14} />}
          onClick={() => saveFile('switchyard-backup-codes.txt', `${text}\n`, 'text/plain')}
        >
          {t('security.downloadCodes')}
        </Button>
        {onDone && <Button onClick={onDone}>{t('security.codesDone')}</Button>}
      </Group>
    </Stack>
  )
}
