import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** Computes the text when clicked. */
export function CopyButton({ text, label }: { text: () => string; label: string }) {
  const { t } = useTranslation()
  const clipboard = useClipboard({ timeout: 1500 })
  return (
    <Button
      variant="default"
      leftSection={clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      onClick={() => clipboard.copy(text())}
    >
      {clipboard.copied ? t('common.copied') : label}
    </Button>
  )
}
