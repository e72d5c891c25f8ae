import { Tooltip, UnstyledButton } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import type { ServerFacts } from '../../gateway/records.ts'
import styles from './server-pill.module.css'

interface ServerPillProps {
  server: ServerFacts | undefined
  answering: boolean
}

/** A click copies the base URL. */
export function ServerPill({ server, answering }: ServerPillProps) {
  const { t } = useTranslation()
  const clipboard = useClipboard({ timeout: 1500 })
  if (!server) return <div className={styles.space} />
  const address = server.url.replace(/^https?:\/\//, '')
  const isPaused = answering && Boolean(server.paused_since)
  const state = t(isPaused ? 'shell.paused' : answering ? 'shell.running' : 'shell.notRunning')
  return (
    <Tooltip label={clipboard.copied ? t('common.copied') : t('common.clickToCopy')}>
      <UnstyledButton
        className={styles.pill}
        data-answering={answering}
        data-paused={isPaused || undefined}
        onClick={() => clipboard.copy(server.url)}
        aria-label={`${t('shell.copyBaseUrl', { url: server.url })}, ${state}`}
      >
        <span className={styles.address}>
          {clipboard.copied ? t('shell.baseUrlCopied') : address}
        </span>{' '}
        <span className={styles.dot} aria-hidden />
        <span className={styles.state}>{state}</span>
      </UnstyledButton>
    </Tooltip>
  )
}
