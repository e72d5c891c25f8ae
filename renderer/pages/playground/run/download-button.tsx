import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useObjectUrl } from './use-object-url.ts'

export function DownloadButton({ blob, name }: { blob: Blob; name: string }) {
  const { t } = useTranslation()
  const url = useObjectUrl(blob)
  return (
    <Button
      component="a"
      href={url ?? undefined}
      download={name}
      variant="default"
      leftSection={<IconDownload size={14} />}
      aria-label={t('tasks.downloadFile', { name })}
    >
      {t('tasks.download')}
    </Button>
  )
}
