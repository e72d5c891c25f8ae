import { useTranslation } from 'react-i18next'
import type { ApiOperation } from './api-operations.ts'
import styles from './api-reference.module.css'

/** Meaning of each status, as most operations describe it. */
export function meaningsOf(operations: readonly ApiOperation[]): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>()
  for (const { statuses } of operations) {
    for (const { status, text } of statuses) {
      const texts = counts.get(status) ?? new Map<string, number>()
      counts.set(status, texts.set(text, (texts.get(text) ?? 0) + 1))
    }
  }
  const commonest = (texts: ReadonlyMap<string, number>) =>
    [...texts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? ''
  return new Map(
    [...counts]
      .map(([status, texts]) => [status, commonest(texts)] as const)
      .sort(([one], [other]) => one.localeCompare(other)),
  )
}

/** Each status once, for all operations. */
export function AllStatuses({ meanings }: { meanings: ReadonlyMap<string, string> }) {
  return (
    <ul className={styles.statuses}>
      {[...meanings].map(([status, text]) => (
        <li key={status}>
          <code>{status}</code> {text.replaceAll('`', '')}
        </li>
      ))}
    </ul>
  )
}

interface StatusCodesProps {
  operation: ApiOperation
  meanings: ReadonlyMap<string, string>
}

/** An operation’s statuses by number; in words only what differs from the list for all. */
export function StatusCodes({ operation, meanings }: StatusCodesProps) {
  const { t } = useTranslation()
  const { statuses } = operation
  const own = statuses.filter(({ status, text }) => meanings.get(status) !== text)
  return (
    <section>
      <h3>{t('apiReference.statuses')}</h3>
      <p className={styles.codes}>
        {statuses.map(({ status, text }) => (
          <code key={status} title={text.replaceAll('`', '')}>
            {status}
          </code>
        ))}
      </p>
      {own.length > 0 && (
        <AllStatuses meanings={new Map(own.map(({ status, text }) => [status, text]))} />
      )}
    </section>
  )
}
