import { UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import type { SessionPart } from '../../gateway/records.ts'
import styles from './sessions.module.css'

/** Characters of a text that are shown before it is unfolded. */
const SHORT = 1500
/** Characters of a tool's arguments on its own line. */
const LINE = 140

interface TurnPartProps {
  part: SessionPart
  /** Result of a tool call. */
  result: SessionPart | null
}

export function TurnPart({ part, result }: TurnPartProps) {
  const { t } = useTranslation()
  const { kind, role, text, name } = part
  if (kind === 'tool-call') return <ToolCall part={part} result={result} />
  if (kind === 'reasoning' || kind === 'tool-result') {
    const label = kind === 'reasoning' ? t('sessions.reasoning') : t('sessions.result', { name })
    return (
      <details className={styles.folded}>
        <summary>
          {label} {part.failed && <span className={styles.failed}>{t('sessions.failed')} </span>}
          <span className={styles.preview}>{text.slice(0, LINE)}</span>
        </summary>
        <pre>{text}</pre>
      </details>
    )
  }
  if (kind === 'image' || kind === 'file') {
    return <p className={styles.file}>{t(`sessions.part_${kind}`, { name: name ?? '' })}</p>
  }
  // Reminders and machine facts are the agent's words, not the person's.
  const isAdded =
    role === 'user' &&
    /^\s*(?:<[\w -]+>|# AGENTS\.md|This is the [\w ]{1,40}\. We are setting up the context )/.test(
      text,
    )
  if (isAdded) {
    return (
      <details className={styles.folded}>
        <summary>
          {t('sessions.added')} <span className={styles.preview}>{text.slice(0, LINE)}</span>
        </summary>
        <pre>{text}</pre>
      </details>
    )
  }
  return (
    <div className={styles.words} data-role={role}>
      <span className={styles.role}>{t(`sessions.role_${role}`)}</span>
      <LongText text={text} />
    </div>
  )
}

function ToolCall({ part, result }: TurnPartProps) {
  const { t } = useTranslation()
  return (
    <details className={styles.folded}>
      <summary>
        <span className={styles.tool}>{part.name}</span>{' '}
        {result?.failed && <span className={styles.failed}>{t('sessions.failed')} </span>}
        <span className={styles.preview}>{part.text.slice(0, LINE)}</span>
      </summary>
      <pre>{part.text}</pre>
      {result ? (
        <pre className={styles.result}>{result.text || t('sessions.noText')}</pre>
      ) : (
        <p className={styles.missing}>{t('sessions.noResult')}</p>
      )}
    </details>
  )
}

function LongText({ text }: { text: string }) {
  const { t } = useTranslation()
  const [isWhole, whole] = useDisclosure(text.length <= SHORT)
  return (
    <div className={styles.text}>
      {isWhole ? text : `${text.slice(0, SHORT)}…`}
      {!isWhole && (
        <UnstyledButton className={styles.more} onClick={whole.open}>
          {t('sessions.showAll')}
        </UnstyledButton>
      )}
    </div>
  )
}
