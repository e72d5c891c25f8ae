import { useTranslation } from 'react-i18next'
import { useFormat } from '../../components/format/use-format.ts'
import type { CacheFinding } from '../../gateway/records.ts'
import styles from './sessions.module.css'

/** How a call's prompt stands to the one before it. */
export function CacheNote({ finding }: { finding: CacheFinding }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { cause, path, equal_tokens: equal, previous_prompt_tokens: before } = finding
  const { missed_tokens: count, quota, setting } = finding
  return (
    <div className={styles.note} data-missed={cause !== null || undefined}>
      {cause !== null && (
        <p className={styles.cause}>
          <b>{t(`sessions.cause_${cause}`)}</b>
          {setting ? <code>{setting.path}</code> : <br />}
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
      {cause !== null && <Change finding={finding} />}
    </div>
  )
}

/** Both texts: of the setting that is the cause, else of the place where the prompts part. */
function Change({ finding: { from, to, setting } }: { finding: CacheFinding }) {
  const { t } = useTranslation()
  if (!setting && (from === null || to === null)) return null
  return (
    <dl className={styles.change}>
      <dt>{t('sessions.before')}</dt>
      <dd>{setting ? (setting.from ?? t('sessions.notSent')) : from}</dd>
      <dt>{t('sessions.now')}</dt>
      <dd>{setting ? (setting.to ?? t('sessions.notSent')) : to}</dd>
    </dl>
  )
}
