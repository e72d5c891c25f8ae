import { Badge, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../../preload/contract.ts'
import { CopyText } from '../../../components/actions/copy-text.tsx'
import styles from './file-change.module.css'

interface DiffLine {
  /** `gap` stands for lines that are left out between two places. */
  kind: 'added' | 'removed' | 'kept' | 'gap'
  text: string
}

const kinds: Readonly<Record<string, DiffLine['kind']>> = {
  '+': 'added',
  '-': 'removed',
  ' ': 'kept',
}

/** The lines of a unified diff of one file, without its heads. */
function diffLines(diff: string): DiffLine[] {
  const lines: DiffLine[] = []
  let isInHunk = false
  for (const line of diff.split('\n')) {
    if (line.startsWith('@@')) {
      if (isInHunk) lines.push({ kind: 'gap', text: '' })
      isInHunk = true
      continue
    }
    // "\ No newline at end of file", and the empty text after the last line end.
    const kind = kinds[line.charAt(0)]
    if (isInHunk && kind) lines.push({ kind, text: line.slice(1).replace(/\r$/, '') })
  }
  return lines
}

type ChangedFile = OperationOutput<'connect.preview'>['files'][number]

export function FileChange({ file }: { file: ChangedFile }) {
  const { t } = useTranslation()
  const { path, before, diff } = file
  const lines = diffLines(diff)
  return (
    <section className={styles.file} aria-label={t('connectTools.changesOf', { path })}>
      <div className={styles.head}>
        <CopyText value={path} label={t('connectTools.file')} wraps />
        {before === null && <Badge color="green">{t('connectTools.newFile')}</Badge>}
      </div>
      {lines.length === 0 ? (
        <Text c="dimmed" p={10}>
          {t('connectTools.unchanged')}
        </Text>
      ) : (
        <div className={styles.lines}>
          {lines.map(({ kind, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has nothing else of its own
            <div key={index} data-kind={kind}>
              <span className={styles.sign}>{signs[kind]}</span>
              {kind === 'added' && <ins>{text}</ins>}
              {kind === 'removed' && <del>{text}</del>}
              {kind !== 'added' && kind !== 'removed' && text}
            </div>
          ))}
        </div>
      )}
    </section>
  )
}

const signs = { added: '+', removed: '−', kept: '', gap: '⋯' } as const
