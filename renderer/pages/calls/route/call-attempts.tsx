import { Badge, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../components/format/use-format.ts'
import { useSentence } from '../../../i18n/use-sentence.ts'
import { LossText } from '../loss-text.tsx'
import type { AttemptFacts } from '../route-facts.ts'
import styles from './call-route.module.css'

const outcomes = [
  'next',
  'final',
  'no_more_tries',
  'no_more_channels',
  'no_more_time',
  'begun',
  'client_gone',
  'stopped',
] as const

const isNobodysFault = (after: string | null) => after === 'client_gone' || after === 'stopped'

export function CallAttempts({ attempts }: { attempts: readonly AttemptFacts[] }) {
  const { t } = useTranslation()
  return (
    <div>
      <h4 className={styles.subtitle}>{t('callRoute.attempts')}</h4>
      {attempts.length === 0 ? (
        <Text c="dimmed">{t('callRoute.noAttempt')}</Text>
      ) : (
        <ol className={styles.timeline}>
          {attempts.map((attempt, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a try is its place
            <Attempt key={index} attempt={attempt} />
          ))}
        </ol>
      )}
    </div>
  )
}

function Attempt({ attempt }: { attempt: AttemptFacts }) {
  const { t } = useTranslation()
  const format = useFormat()
  const say = useSentence()
  const { channel, name, model, key, at, duration, status, code, waited, after, losses } = attempt
  const { message, reason } = attempt
  const hasFailed = code !== null || after !== null
  const outcome = outcomes.find((one) => one === after)
  const offset = format.duration(at)
  return (
    <li className={styles.attempt} data-failed={hasFailed || undefined}>
      <div className={styles.line}>
        {at !== null && (
          <span className={styles.offset}>
            <span aria-hidden>+{offset}</span>
            <span className={styles.unseen}>{t('callRoute.offsetLabel', { time: offset })}</span>
          </span>
        )}
        <span className={styles.name}>
          {name} <span className={styles.id}>#{channel}</span>
        </span>
        {model && <span className={styles.model}>{model}</span>}
        {key !== null && <Badge color="gray">{t('callRoute.key', { number: key + 1 })}</Badge>}
        <Badge color={hasFailed ? (isNobodysFault(after) ? 'gray' : 'red') : 'green'}>
          {[status, code].filter((part) => part !== null).join(' ') ||
            t(hasFailed ? 'callRoute.failed' : 'callRoute.answered')}
        </Badge>
        <span className={styles.quiet}>{format.duration(duration)}</span>
        {waited !== null && waited > 0 && (
          <span className={styles.quiet}>
            {t('callRoute.waited', { time: format.duration(waited) })}
          </span>
        )}
      </div>
      {message && <div className={styles.words}>{say({ message, reason })}</div>}
      {losses.length > 0 && (
        <ul className={styles.losses} aria-label={t('calls.losses')}>
          {losses.map((loss) => (
            <li key={`${loss.kind} ${loss.path}`}>
              <LossText loss={loss} />
            </li>
          ))}
        </ul>
      )}
      {after && (
        <div className={styles.quiet}>{outcome ? t(`callRoute.after_${outcome}`) : after}</div>
      )}
    </li>
  )
}
