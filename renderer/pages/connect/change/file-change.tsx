import { Badge, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OperationOutput } from '../../../../preload/contract.ts'
import { CopyText } from '../../../components/actions/copy-text.tsx'
import { diffLines } from './diff-lines.ts'
import styles from './file-change.module.css'

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
