import { type MouseEvent, memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../components/format/use-format.ts'
import { shortcutOf } from '../../../components/shortcuts/shortcuts.ts'
import type { TimelineRow } from '../../../gateway/records.ts'
import { useFailureText, useSentence } from '../../../i18n/use-sentence.ts'
import { type CallFacts, readCallFacts } from '../call-facts.ts'
import { CallBadges } from '../cells/call-badges.tsx'
import { FilterValue } from '../cells/filter-value.tsx'
import { CallCell, StatusCell } from './call-cell.tsx'
import { type CallColumn, columnFacts } from './call-columns.ts'
import styles from './call-list.module.css'

interface CallListRowProps {
  call: TimelineRow
  /** From 0. */
  index: number
  columns: readonly CallColumn[]
  /** Start of a running call by this browser's clock, in milliseconds since 1970. */
  since: number | null
  isOpen: boolean
  /** The row that Tab goes to. */
  isTabStop: boolean
  onOpen: (index: number) => void
}

/** A click anywhere but on a value opens the row. */
export const CallListRow = memo(function CallListRow(props: CallListRowProps) {
  const { call, index, columns, since, isOpen, isTabStop, onOpen } = props
  const format = useFormat()
  const facts = readCallFacts(call)
  const open = (event: MouseEvent) => {
    // A click on a value, or one that selects text, has its own meaning.
    if ((event.target as Element).closest('button') || window.getSelection()?.toString()) return
    onOpen(index)
  }
  const isSentence = call.kind === 'refused'
  const [first = 'time', second = 'status', ...rest] = columns
  return (
    <tr
      className={styles.row}
      data-row={index}
      data-kind={call.kind}
      data-failed={facts.failed || facts.cut || undefined}
      // The head is the first row.
      aria-rowindex={index + 2}
      aria-selected={isOpen}
      tabIndex={isTabStop ? 0 : -1}
      onClick={open}
      onKeyDown={(event) => {
        if (shortcutOf('calls', event) !== 'open' || event.target !== event.currentTarget) return
        event.preventDefault()
        onOpen(index)
      }}
    >
      {isSentence ? (
        <>
          <td>
            <CallCell column={first} call={call} facts={facts} format={format} since={null} />
          </td>
          <td>
            <StatusCell call={call} facts={facts} />
          </td>
          <td colSpan={rest.length}>
            <Sentence call={call} facts={facts} />
          </td>
        </>
      ) : (
        [first, second, ...rest].map((column) => (
          <td key={column} className={columnFacts[column].isNumeric && 'numeric'}>
            <CallCell column={column} call={call} facts={facts} format={format} since={since} />
          </td>
        ))
      )}
    </tr>
  )
})

/** Where a refused request went, why it was refused and what helps. */
function Sentence({ call, facts }: { call: TimelineRow; facts: CallFacts }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { method, path, more } = facts
  const say = useSentence()
  const hint = facts.hint && say({ message: facts.hint, reason: facts.hintReason })
  const content = useFailureText()(facts.errorCode, call.content, facts.errorReason)
  return (
    <div className={styles.model} title={[content, hint].filter(Boolean).join(' ')}>
      <CallBadges facts={facts} isRefused />
      {more !== null && (
        <span className={styles.quiet} title={t('callList.more', { count: more })}>
          ×{format.count(more + 1)}
        </span>
      )}
      <span className={styles.address}>
        {method} <FilterValue field="path" value={path ?? ''} inRow />
      </span>
      <span className={styles.reason}>
        {hint ?? content}
        {hint !== null && <span className={styles.quiet}> {content}</span>}
      </span>
    </div>
  )
}
