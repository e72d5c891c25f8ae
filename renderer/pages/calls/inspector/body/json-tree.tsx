import { Button, Group } from '@mantine/core'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../../../components/actions/copy-text.tsx'
import { FixedRows } from '../layout/fixed-rows.tsx'
import styles from './body.module.css'
import { ImageStrip } from './image-strip.tsx'
import type { JsonTree as Tree } from './parse-tree.ts'
import { TreeLine } from './tree-line.tsx'
import { canFold, type Folding, treeRows } from './tree-rows.ts'

/** Pixels. */
const ROW = 20

/** Reasons of losses by their path. */
export type LossMarks = ReadonlyMap<string, string>

interface JsonTreeProps {
  tree: Tree
  /** Names it for screen readers. */
  label: string
  marks?: LossMarks
  maxHeight?: number
}

const usual: Folding = { start: 'usual', toggled: new Set() }

/** JSON whose objects, arrays and long strings fold; thousands of lines stay smooth. */
export function JsonTree({ tree, label, marks, maxHeight = 480 }: JsonTreeProps) {
  const { t } = useTranslation()
  const id = useId()
  const [folding, setFolding] = useState(usual)
  const [active, setActive] = useState<number | null>(null)
  const rows = useMemo(() => treeRows(tree.root, folding), [tree, folding])
  const at = active === null ? null : Math.min(active, rows.length - 1)
  const chosen = at === null ? undefined : rows[at]

  const toggle = (index: number) => {
    const row = rows[index]
    if (!row || !canFold(row.node)) return
    const toggled = new Set(folding.toggled)
    if (!toggled.delete(row.node.path)) toggled.add(row.node.path)
    setFolding({ ...folding, toggled })
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const index = at ?? 0
    const row = rows[index]
    if (!row) return
    const outer = rows.slice(0, index).findLastIndex(({ depth }) => depth < row.depth)
    const last = rows.length - 1
    const moves = new Map([
      ['ArrowDown', () => setActive(at === null ? 0 : Math.min(last, index + 1))],
      ['ArrowUp', () => setActive(Math.max(0, index - 1))],
      ['Home', () => setActive(0)],
      ['End', () => setActive(last)],
      [
        'ArrowRight',
        () => (row.kind === 'closed' ? toggle(index) : setActive(Math.min(last, index + 1))),
      ],
      ['ArrowLeft', () => (row.kind === 'open' ? toggle(index) : setActive(Math.max(0, outer)))],
      ['Enter', () => toggle(index)],
    ])
    const move = moves.get(event.key)
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    move()
  }

  const fold = (start: Folding['start']) => {
    setActive(null)
    setFolding({ start, toggled: new Set() })
  }

  return (
    <div className={styles.tree}>
      <ImageStrip root={tree.root} />
      <FixedRows
        count={rows.length}
        rowHeight={ROW}
        maxHeight={maxHeight}
        active={at}
        role="tree"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={at === null ? undefined : `${id}-${at}`}
        onKeyDown={onKeyDown}
        row={(index) => {
          const row = rows[index]
          return (
            row && (
              <TreeLine
                key={index}
                id={`${id}-${index}`}
                row={row}
                isActive={index === at}
                loss={marks?.get(row.node.path)}
                onToggle={() => toggle(index)}
                onSelect={() => setActive(index)}
              />
            )
          )
        }}
      />
      <Group gap={8} className={styles.foot}>
        {rows.length > 1 && (
          <>
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              onClick={() => fold('all-open')}
            >
              {t('inspector.unfold')}
            </Button>
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              onClick={() => fold('all-closed')}
            >
              {t('inspector.fold')}
            </Button>
          </>
        )}
        {chosen && chosen.node.path !== '' && (
          <CopyText value={chosen.node.path} label={t('inspector.path')} />
        )}
        {chosen?.node.text && (
          <CopyText value={chosen.node.text} label={t('inspector.value')}>
            {t('inspector.copyValue')}
          </CopyText>
        )}
      </Group>
    </div>
  )
}
