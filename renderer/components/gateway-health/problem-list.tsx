import { useTranslation } from 'react-i18next'
import type { GatewayHealth } from '../../gateway/records.ts'
import { useSentence } from '../../i18n/use-sentence.ts'
import { useFormat } from '../format/use-format.ts'
import styles from './gateway-health.module.css'

/** Problems and their start, one sentence each. */
export function ProblemList({ problems }: { problems: GatewayHealth['warnings'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const say = useSentence()
  return (
    <ul className={styles.problems} aria-label={t('health.warnings')}>
      {problems.map(({ code, message, reason, since }) => (
        <li key={`${code}/${message}`}>
          {say({ message, reason })}
          {since !== null && (
            <span className={styles.since} title={format.fullTime(since)}>
              {t('health.since', { time: format.time(since) })}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
