import { Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import styles from './search.module.css'
import type { SearchTarget } from './search-target.ts'
import { useSearchTargets } from './use-search-targets.ts'

/** Arrow keys move, Enter opens. */
export function SearchResults({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  // By key, since further answers may come in above it; null for the first.
  const [chosen, setChosen] = useState<string | null>(null)
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const { targets, isSearching, failures, actionFailure } = useSearchTargets(text)
  const active = Math.max(
    0,
    targets.findIndex(({ key }) => key === chosen),
  )

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView?.({ block: 'nearest' })
  })

  const go = async ({ run, path }: SearchTarget) => {
    if (run && !(await run())) return
    onDone()
    if (path) navigate(path)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && targets.length > 0) {
      event.preventDefault()
      setChosen(targets[(active + step + targets.length) % targets.length]?.key ?? null)
    }
    const target = targets[active]
    if (event.key === 'Enter' && target) void go(target)
  }

  return (
    <>
      <TextInput
        className={styles.input}
        data-autofocus
        leftSection={<IconSearch size={16} />}
        placeholder={t('search.placeholder')}
        aria-label={t('common.search')}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={targets[active] && `${listId}-${active}`}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setChosen(null)
        }}
        onKeyDown={onKeyDown}
      />
      <div
        className={styles.list}
        role="listbox"
        aria-label={t('common.search')}
        id={listId}
        ref={list}
        hidden={targets.length === 0}
      >
        {[...new Set(targets.map(({ group }) => group))].map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of options
          <div role="group" aria-label={group} key={group}>
            <div className={styles.group} aria-hidden>
              {group}
            </div>
            {targets.map(
              (target, index) =>
                target.group === group && (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
                  <div
                    key={target.key}
                    className={styles.option}
                    role="option"
                    tabIndex={-1}
                    id={`${listId}-${index}`}
                    aria-selected={index === active}
                    onClick={() => void go(target)}
                    onMouseMove={() => setChosen(target.key)}
                  >
                    <target.icon size={16} stroke={1.7} aria-hidden />
                    <span className={styles.name}>{target.name}</span>
                    {target.detail && <span className={styles.detail}>{target.detail}</span>}
                  </div>
                ),
            )}
          </div>
        ))}
      </div>
      <Stack gap={8} className={styles.notes}>
        <Text c="dimmed" role="status">
          {isSearching && t('search.searching')}
          {!isSearching &&
            targets.length === 0 &&
            failures.length === 0 &&
            t('search.nothing', { text })}
        </Text>
        {failures.map(({ failure, retry }) => (
          <FailureNote key={failure.message} failure={failure} onRetry={retry} />
        ))}
        <FailureNote failure={actionFailure} />
      </Stack>
    </>
  )
}
