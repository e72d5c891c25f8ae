import { useTranslation } from 'react-i18next'
import { useFormat } from '../../components/format/use-format.ts'
import type { CacheFinding } from '../../gateway/records.ts'
import styles from './sessions.module.css'

/** How a call's prompt stands to the one before it. */
export function CacheNote({ finding }: { finding: CacheFinding }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { cause, path, from, to, equal_tokens: equal, previous_prompt_tokens: before } = finding
  const { missed_tokens: count, quota } = finding
  return (
    <div className={styles.note} data-missed={cause !== null || undefined}>
      {cause !== null && (
        <p className={styles.cause}>
          <b>{t(`sessions.cause_${cause}`)}</b>
          <br />
          {quota === null
            ? t('sessions.missedUnpriced', { count })
            : t('sessions.missed', { count, cost: format.money(quota) })}
        </p>
      )}
      {equal !== null && before !== null && (
        <p>
          {path === null
            ? t('sessions.onlyGrew')
            : t('sessions.equalUpTo', { equal: format.count(equal), count: before })}
          {path !== null && <code>{path}</code>}
        </p>
      )}
      {cause !== null && from !== null && to !== null && (
        <dl className={styles.change}>
          <dt>{t('sessions.before')}</dt>
          <dd>{from}</dd>
          <dt>{t('sessions.now')}</dt>
          <dd>{to}</dd>
        </dl>
      )}
    </div>
  )
}
