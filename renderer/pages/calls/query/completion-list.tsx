import { useEffect, useRef } from 'react'
import styles from './query-bar.module.css'
import type { Completion } from './use-completions.ts'

interface CompletionListProps {
  /** Id of the query bar, which names the options for screen readers. */
  id: string
  completions: readonly Completion[]
  active: number
  label: string
  onChoose: (completion: Completion) => void
}

export function CompletionList(props: CompletionListProps) {
  const { id, completions, active, label, onChoose } = props
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a moved choice is the signal
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView?.({ block: 'nearest' })
  }, [active])
  return (
    <div
      className={styles.list}
      role="listbox"
      id={`${id}-list`}
      aria-label={label}
      ref={list}
      hidden={completions.length === 0}
    >
      {completions.map((completion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
        <div
          key={completion.text}
          className={styles.option}
          role="option"
          tabIndex={-1}
          id={`${id}-${index}`}
          aria-selected={index === active}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(completion)}
        >
          <span className={styles.text}>{completion.text}</span>
          <span className={styles.detail}>{completion.detail}</span>
        </div>
      ))}
    </div>
  )
}
