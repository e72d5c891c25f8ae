import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../components/format/use-format.ts'
import type { GatewayHealth } from '../../gateway/records.ts'
import styles from './health.module.css'

/** Shorter than the gateway's message, because a banner above says what to do. */
const ownWords = { paused: 'warning_paused', keychain_locked: 'warning_keychain_locked' } as const

const hasOwnWords = (code: string): code is keyof typeof ownWords => Object.hasOwn(ownWords, code)

const colors = { ok: 'green', warning: 'orange', failing: 'red' } as const

export function GatewayState({ health }: { health: GatewayHealth }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { status, warnings } = health
  return (
    <Alert
      color={colors[status]}
      role="status"
      title={t(`health.status_${status}`)}
      icon={status === 'ok' ? <IconCircleCheck size={16} /> : <IconAlertTriangle size={16} />}
    >
      {warnings.length === 0 ? (
        status === 'ok' && <Text c="dimmed">{t('health.status_okHint')}</Text>
      ) : (
        <ul className={styles.warnings} aria-label={t('health.warnings')}>
          {warnings.map(({ code, message, since }) => (
            <li key={`${code}/${message}`}>
              {hasOwnWords(code) ? t(`health.${ownWords[code]}`) : message}
              {since !== null && (
                <span className={styles.since} title={format.fullTime(since)}>
                  {t('health.since', { time: format.time(since) })}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  )
}
