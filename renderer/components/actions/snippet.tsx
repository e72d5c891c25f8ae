import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './snippet.module.css'

export function Snippet({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation()
  const clipboard = useClipboard({ timeout: 1500 })
  const tip = clipboard.copied ? t('common.copied') : t('common.copy')
  return (
    <section className={styles.snippet} aria-label={label}>
      <pre className={styles.text}>{text}</pre>
      <Tooltip label={tip}>
        <ActionIcon
          className={styles.button}
          variant="default"
          onClick={() => clipboard.copy(text)}
          aria-label={`${t('common.copy')}: ${label}`}
        >
          {clipboard.copied ? <IconCheck size={15} color="var(--good)" /> : <IconCopy size={15} />}
        </ActionIcon>
      </Tooltip>
    </section>
  )
}
