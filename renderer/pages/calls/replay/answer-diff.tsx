import { Text } from '@mantine/core'
import { diffLines, diffWordsWithSpace } from 'diff'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type ComparedAnswer, compareCalls } from './answer-parts.ts'
import styles from './replay.module.css'

/** Characters up to which words are compared; above, whole lines, which is quick for any text. */
const BY_WORDS = 20_000
/** Milliseconds that a comparison may take. */
const PATIENCE = 1500

interface AnswerDiffProps {
  own: ComparedAnswer
  /** Null where there is nothing to compare with. */
  original: ComparedAnswer | null
}

/** An answer's words and tool calls, compared with the original's. */
export function AnswerDiff({ own, original }: AnswerDiffProps) {
  const { t } = useTranslation()
  const calls = compareCalls(own.calls, original?.calls ?? null)
  const isSame = original !== null && original.text === own.text
  return (
    <>
      {calls.length > 0 && (
        <ul className={styles.calls} aria-label={t('replay.toolCalls')}>
          {calls.map((call, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the order is all that tells two apart
            <li key={index} data-change={call.change ?? undefined}>
              <span className="mono">{call.name}</span>
              {call.change && <span className={styles.change}>{t(`replay.${call.change}`)}</span>}
              <pre className={styles.arguments}>{call.arguments}</pre>
            </li>
          ))}
        </ul>
      )}
      {isSame && own.text !== '' && <Text c="dimmed">{t('replay.sameText')}</Text>}
      {own.text === '' && calls.length === 0 && !original?.text && (
        <Text c="dimmed">{t('replay.noText')}</Text>
      )}
      <pre className={styles.answer}>
        {original && !isSame ? <Changes from={original.text} to={own.text} /> : own.text}
      </pre>
    </>
  )
}

function Changes({ from, to }: { from: string; to: string }) {
  const changes = useMemo(() => {
    const isLong = from.length + to.length > BY_WORDS
    const options = { timeout: PATIENCE }
    const found = isLong ? diffLines(from, to, options) : diffWordsWithSpace(from, to, options)
    return (
      found ?? [
        { value: from, removed: true, added: false },
        { value: to, removed: false, added: true },
      ]
    )
  }, [from, to])
  return changes.map(({ value, added, removed }, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: made anew as a whole
    if (added) return <ins key={index}>{value}</ins>
    // biome-ignore lint/suspicious/noArrayIndexKey: made anew as a whole
    if (removed) return <del key={index}>{value}</del>
    return value
  })
}
