import { IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../../components/format/use-format.ts'
import styles from './body.module.css'
import type { JsonNode } from './parse-tree.ts'
import { readBase64 } from './read-base64.ts'
import type { TreeRow } from './tree-rows.ts'

/** Characters of a folded value that are shown. */
const PREVIEW = 90

interface TreeLineProps {
  id: string
  row: TreeRow
  isActive: boolean
  /** Why something at this path was lost. */
  loss: string | undefined
  onToggle: () => void
  onSelect: () => void
}

export function TreeLine({ id, row, isActive, loss, onToggle, onSelect }: TreeLineProps) {
  const { node, depth, kind, text } = row
  const canToggle = kind === 'open' || kind === 'closed'
  const inside = depth + (kind === 'text' ? 1 : 0)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree around it has the focus
    <div
      id={id}
      role="treeitem"
      aria-level={inside + 1}
      aria-selected={isActive}
      {...(canToggle && { 'aria-expanded': kind === 'open' })}
      className={styles.line}
      data-active={isActive || undefined}
      style={{ paddingLeft: 18 + inside * 14 }}
      title={loss}
      onClick={() => {
        onSelect()
        if (canToggle && !window.getSelection()?.toString()) onToggle()
      }}
    >
      {canToggle && (
        <IconChevronRight
          size={12}
          aria-hidden
          className={styles.fold}
          data-open={kind === 'open' || undefined}
        />
      )}
      {node.name !== null && kind !== 'end' && kind !== 'text' && (
        <>
          <span className={styles.name} data-lost={loss !== undefined || undefined}>
            {node.name}
          </span>
          {': '}
        </>
      )}
      {kind === 'text' ? (
        <span className={styles.string}>{text || ' '}</span>
      ) : kind === 'end' ? (
        <span className={styles.bracket}>{node.kind === 'array' ? ']' : '}'}</span>
      ) : (
        <Value node={node} isOpen={kind === 'open'} isLost={loss !== undefined} />
      )}
      {loss !== undefined && kind !== 'end' && kind !== 'text' && (
        <span className={styles.reason}>{loss}</span>
      )}
    </div>
  )
}

function Value({ node, isOpen, isLost }: { node: JsonNode; isOpen: boolean; isLost: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { kind, text, children } = node
  const lost = isLost || undefined
  if (kind === 'array' || kind === 'object') {
    const [begin, end] = kind === 'array' ? '[]' : '{}'
    if (isOpen) return <span className={styles.bracket}>{begin}</span>
    if (children.length === 0) return <span className={styles.bracket}>{`${begin}${end}`}</span>
    return (
      <>
        <span className={styles.bracket} data-lost={lost}>
          {begin} {glance(node)} {end}
        </span>
        <span className={styles.size}>{t('inspector.items', { count: children.length })}</span>
      </>
    )
  }
  if (kind !== 'string') {
    return (
      <span className={styles[kind]} data-lost={lost}>
        {text}
      </span>
    )
  }
  const bytes = readBase64(text)
  if (bytes) {
    const size = format.size(bytes.bytes)
    return (
      <span className={styles.size} data-lost={lost}>
        {bytes.type
          ? t('inspector.base64Of', { type: bytes.type, size })
          : t('inspector.base64', { size })}
      </span>
    )
  }
  if (isOpen) {
    return <span className={styles.size}>{t('inspector.characters', { count: text.length })}</span>
  }
  const isShort = text.length <= 2 * PREVIEW
  return (
    <>
      <span className={styles.string} data-lost={lost}>
        {JSON.stringify(isShort ? text : `${text.slice(0, PREVIEW)}…`)}
      </span>
      {!isShort && (
        <span className={styles.size}>{t('inspector.characters', { count: text.length })}</span>
      )}
    </>
  )
}

/** The beginning of a folded object or array. */
function glance({ kind, children }: JsonNode): string {
  let shown = ''
  for (const child of children) {
    if (shown.length > PREVIEW) return `${shown.slice(0, PREVIEW)}…`
    const value =
      child.kind === 'string'
        ? JSON.stringify(child.text.length > 40 ? `${child.text.slice(0, 40)}…` : child.text)
        : child.text || (child.kind === 'array' ? '[…]' : '{…}')
    const piece = kind === 'object' ? `${child.name}: ${value}` : value
    shown += shown === '' ? piece : `, ${piece}`
  }
  return shown
}
