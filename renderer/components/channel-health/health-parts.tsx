import { useTranslation } from 'react-i18next'
import type { ChannelHealth, ChannelRecord } from '../../gateway/records.ts'
import { useSentence } from '../../i18n/use-sentence.ts'
import { Countdown } from '../format/countdown.tsx'
import { failedTest, failingParts, type HealthPart, wordFor } from './health-facts.ts'
import styles from './health-parts.module.css'

/** Per row; the channel's drawer lists all. */
const shownInRow = 4

/** The reason of a cooldown, and the keys and models that are cooling down. */
export function HealthParts({
  health,
  whole,
  lastTest,
}: {
  health: ChannelHealth
  whole?: boolean
  lastTest?: ChannelRecord['last_test'] | undefined
}) {
  const { t } = useTranslation()
  const say = useSentence()
  const all = failingParts(health)
  // Recent failures without a cooldown show only in the full list.
  const known = whole ? all : all.filter(({ state }) => state !== 'closed')
  const shown = whole ? known : known.slice(0, shownInRow)
  const isUnhealthy = health.state !== 'closed' && health.reason !== null
  const failed = failedTest(health, lastTest)
  if (!isUnhealthy && !failed && shown.length === 0) return null
  return (
    <ul className={styles.parts}>
      {isUnhealthy && (
        <li className={styles.reason}>
          {say({ message: health.reason ?? '', reason: health.why })}
        </li>
      )}
      {failed && (
        <li className={styles.reason}>{t('channelHealth.testFailedOf', { ...failed })}</li>
      )}
      {shown.map((part) => (
        <Part key={`${part.key}/${part.model}`} part={part} />
      ))}
      {shown.length < known.length && (
        <li className={styles.quiet}>
          {t('channelHealth.moreParts', { count: known.length - shown.length })}
        </li>
      )}
    </ul>
  )
}

function Part({ part }: { part: HealthPart }) {
  const { t } = useTranslation()
  const say = useSentence()
  const { key, model, state, until, reason, why, failures } = part
  return (
    <li>
      <span className={styles.subject}>
        {key !== null && t('callRoute.key', { number: key + 1 })}
        {key !== null && model !== null && ' · '}
        {model !== null && <span className="mono">{model}</span>}
      </span>{' '}
      <span className={styles.quiet}>
        {state === 'closed'
          ? t('channelHealth.failures', { count: failures })
          : t(`channelHealth.state_${wordFor(part)}`)}
        {state === 'open' && until !== null && (
          <>
            {' · '}
            <Countdown until={until} />
          </>
        )}
      </span>
      {reason && <div className={styles.reason}>{say({ message: reason, reason: why })}</div>}
    </li>
  )
}
