import { Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { saveFile } from '../../../components/actions/save-file.ts'
import { Snippet } from '../../../components/actions/snippet.tsx'

export function BackupCodes({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation()
  const text = codes.join('\n')
  return (
    <Stack gap={6} maw={420}>
      <Text fw={500}>{t('security.backupCodes')}</Text>
      <Text c="dimmed">{t('security.backupCodesHint')}</Text>
      <Snippet text={text} label={t('security.backupCodes')} />
      <Group>
        <Button
          variant="default"
          leftSection={<IconDownload size={14} />}
          onClick={() => saveFile('switchyard-backup-codes.txt', `${text}\n`, 'text/plain')}
        >
          {t('security.downloadCodes')}
        </Button>
      </Group>
    </Stack>
  )
}
