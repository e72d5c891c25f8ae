import { ActionIcon, Text } from '@mantine/core'
import { IconFilter, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, type RefObject, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallFailure } from '../../../gateway/call-failure.ts'
import { CompletionList } from './completion-list.tsx'
import styles from './query-bar.module.css'
import { termAt } from './query-terms.ts'
import { type Completion, useCompletions } from './use-completions.ts'

interface QueryBarProps {
  /** The query that the list shows. */
  value: string
  onChange: (query: string) => void
  /** Why the gateway refused it. */
  failure: CallFailure | null
  input: RefObject<HTMLInputElement | null>
}

/** Enter applies the query; arrow keys and Tab choose a completion. */
export function QueryBar({ value, onChange, failure, input }: QueryBarProps) {
  const { t } = useTranslation()
  const id = useId()
  const [draft, setDraft] = useState(value)
  const [caret, setCaret] = useState(0)
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [scroll, setScroll] = useState(0)
  const term = termAt(draft, caret)
  const completions = useCompletions(term, isOpen)
  const shown = isOpen ? completions : []

  // A space after the last term is the user's, who goes on typing.
  useEffect(() => setDraft((typed) => (typed.trim() === value ? typed : value)), [value])

  const apply = (query: string) => {
    setDraft(query.trim())
    setOpen(false)
    setActive(-1)
    onChange(query.trim())
  }
  const choose = ({ insert, isWhole }: Completion) => {
    const rest = draft.slice(term.end)
    const before = draft.slice(0, term.start) + insert
    const query = isWhole ? `${before} ${rest.trimStart()}` : before + rest
    const place = before.length + (isWhole ? 1 : 0)
    setActive(-1)
    setDraft(query)
    setCaret(place)
    requestAnimationFrame(() => input.current?.setSelectionRange(place, place))
    if (isWhole) onChange(query.trim())
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const chosen = shown[active]
    if (step) {
      event.preventDefault()
      setOpen(true)
      if (shown.length > 0) {
        const from = active < 0 && step < 0 ? 0 : active
        setActive((from + step + shown.length) % shown.length)
      }
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (chosen) choose(chosen)
      else apply(draft)
    } else if (event.key === 'Tab' && chosen && !event.shiftKey) {
      event.preventDefault()
      choose(chosen)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      if (shown.length > 0) setOpen(false)
      else input.current?.blur()
    }
  }
  const wrong = failure?.field === 'q' && draft.trim() === value ? failure : null

  return (
    <search className={styles.bar}>
      <div className={styles.field} data-wrong={wrong !== null || undefined}>
        <IconFilter size={14} aria-hidden className={styles.icon} />
        <div className={styles.line}>
          <Mark draft={draft} failure={wrong} scroll={scroll} />
          <input
            ref={input}
            className={styles.input}
            role="combobox"
            aria-label={t('callQuery.label')}
            aria-expanded={shown.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={shown[active] && `${id}-${active}`}
            aria-autocomplete="list"
            aria-invalid={wrong !== null}
            aria-describedby={wrong ? `${id}-wrong` : undefined}
            placeholder={t('callQuery.placeholder')}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={draft}
            onChange={(event) => {
              setDraft(event.currentTarget.value)
              setCaret(event.currentTarget.selectionStart ?? event.currentTarget.value.length)
              setOpen(true)
              setActive(-1)
            }}
            onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
            onScroll={(event) => setScroll(event.currentTarget.scrollLeft)}
            onClick={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onKeyDown={onKeyDown}
          />
        </div>
        {draft === '' ? (
          <kbd className={styles.key} aria-hidden>
            /
          </kbd>
        ) : (
          <ActionIcon
            size={22}
            aria-label={t('callQuery.clear')}
            onClick={() => {
              apply('')
              input.current?.focus()
            }}
          >
            <IconX size={14} />
          </ActionIcon>
        )}
      </div>
      <CompletionList
        id={id}
        completions={shown}
        active={active}
        label={t('callQuery.completions')}
        onChoose={choose}
      />
      {wrong && (
        <Text c="var(--bad)" fz={12} role="alert" id={`${id}-wrong`} className={styles.wrong}>
          {wrong.message}
        </Text>
      )}
    </search>
  )
}

/** Underlines the wrong term, which is the text of the input itself. */
function Mark({
  draft,
  failure,
  scroll,
}: {
  draft: string
  failure: CallFailure | null
  scroll: number
}) {
  const { place, length } = (failure?.data ?? {}) as { place?: number; length?: number }
  if (place === undefined || length === undefined) return null
  return (
    <div className={styles.mark} aria-hidden style={{ translate: `${-scroll}px` }}>
      {draft.slice(0, place - 1)}
      <mark>{draft.slice(place - 1, place - 1 + length)}</mark>
    </div>
  )
}
