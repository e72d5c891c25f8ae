import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../../../preload/contract.ts'
import { CopyText } from '../../../../components/actions/copy-text.tsx'
import { useFormat } from '../../../../components/format/use-format.ts'
import { JsonTree } from '../body/json-tree.tsx'
import { parseTree } from '../body/parse-tree.ts'
import styles from './reading.module.css'

type Part = OperationOutput<'capture.reading'>['output'][number]

/** A conversation: text as it is, reasoning folded, tools with their arguments. */
export function ReadingParts({ parts }: { parts: readonly Part[] }) {
  return (
    <div className={styles.parts}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
        <ReadingPart key={index} part={part} />
      ))}
    </div>
  )
}

function ReadingPart({ part }: { part: Part }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { role, kind, text, name, size, failed } = part
  switch (kind) {
    case 'reasoning':
      return (
        <details className={styles.part}>
          <summary className={styles.label}>
            {t('inspector.part_reasoning')} · {t('inspector.characters', { count: text.length })}
          </summary>
          <div className={styles.reasoning}>{text}</div>
        </details>
      )
    case 'tool-call':
    case 'tool-result':
      return (
        <section className={styles.part}>
          <div className={styles.label}>
            {t(kind === 'tool-call' ? 'inspector.part_toolCall' : 'inspector.part_toolResult')}{' '}
            {name && <span className={styles.tool}>{name}</span>}
            {failed && <span className={styles.failed}> {t('sessions.failed')}</span>}
          </div>
          <Arguments text={text} label={name ?? ''} />
        </section>
      )
    case 'image':
    case 'file':
      return (
        <section className={styles.part}>
          <div className={styles.label}>
            {[
              name ?? t(kind === 'image' ? 'inspector.part_image' : 'inspector.part_file'),
              size !== undefined && format.size(size),
            ]
              .filter(Boolean)
              .join(' · ')}
          </div>
          {kind === 'image' && text.startsWith('data:image/') ? (
            <img className={styles.image} src={text} alt={name ?? t('inspector.part_image')} />
          ) : (
            text && <CopyText value={text} label={t('inspector.address')} wraps />
          )}
        </section>
      )
    default:
      return (
        <section className={styles.part} data-role={role}>
          <div className={styles.label}>{t(`inspector.role_${role}`)}</div>
          <div className={styles.text}>{text}</div>
        </section>
      )
  }
}

function Arguments({ text, label }: { text: string; label: string }) {
  const tree = useMemo(() => parseTree(text), [text])
  if (tree && tree.root.children.length > 0) {
    return <JsonTree tree={tree} label={label} maxHeight={300} />
  }
  return <div className={styles.code}>{text}</div>
}
