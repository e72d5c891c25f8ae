import { UnstyledButton } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../gateway/queries.ts'
import type { ServerFacts } from '../../gateway/records.ts'
import { useIsAdministrator } from '../../gateway/use-role.ts'
import { Tip } from '../feedback/tip.tsx'
import { HealthState } from './health-state.tsx'
import styles from './server-pill.module.css'

interface ServerPillProps {
  server: ServerFacts | undefined
  answering: boolean
}

/** A click on the address copies the base URL, one on the state shows the gateway’s health. */
export function ServerPill({ server, answering }: ServerPillProps) {
  const { t } = useTranslation()
  const clipboard = useClipboard({ timeout: 1500 })
  // The banner below keeps it fresh.
  const health = useOperation('diagnostics.health', {}, { enabled: useIsAdministrator() })
  if (!server) return <div className={styles.space} />
  const address = server.url.replace(/^https?:\/\//, '')
  const isPaused = answering && Boolean(server.paused_since)
  const state = t(isPaused ? 'shell.paused' : answering ? 'shell.running' : 'shell.notRunning')
  // While the gateway doesn't answer, the last health reading may be out of date.
  const known = answering ? health.data : undefined
  return (
    <div
      className={styles.pill}
      data-answering={answering}
      data-warns={isPaused || known?.status === 'warning' || undefined}
      data-fails={known?.status === 'failing' || undefined}
    >
      <Tip label={clipboard.copied ? t('common.copied') : t('common.clickToCopy')}>
        <UnstyledButton
          className={styles.address}
          onClick={() => clipboard.copy(server.url)}
          aria-label={t('shell.copyBaseUrl', { url: server.url })}
        >
          {clipboard.copied ? t('shell.baseUrlCopied') : address}
        </UnstyledButton>
      </Tip>
      {known ? (
        <HealthState health={known} state={state} isPaused={isPaused} />
      ) : (
        <span className={styles.state} role="status">
          <span className={styles.dot} aria-hidden />
          <span className={styles.words}>{state}</span>
        </span>
      )}
    </div>
  )
}
