import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import styles from './global-search.module.css'
import { useSearchTargets } from './use-search-targets.ts'

/** Arrow keys move, Enter opens. */
export function SearchResults({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const targets = useSearchTargets(text)

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView?.({ block: 'nearest' })
  })

  const go = (index: number) => {
    const target = targets[index]
    if (!target) return
    navigate(target.path)
    onDone()
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && targets.length > 0) {
      event.preventDefault()
      setActive((current) => (current + step + targets.length) % targets.length)
    }
    if (event.key === 'Enter') go(active)
  }

  return (
    <>
      <TextInput
        className={styles.input}
        data-autofocus
        leftSection={<IconSearch size={16} />}
        placeholder={t('shell.searchPlaceholder')}
        aria-label={t('shell.searchPlaceholder')}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={targets[active] && `${listId}-${active}`}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      {targets.length === 0 && (
        <div className={styles.nothing} role="status">
          {t('shell.searchNothing', { text })}
        </div>
      )}
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
                    key={target.path + target.name}
                    className={styles.option}
                    role="option"
                    tabIndex={-1}
                    id={`${listId}-${index}`}
                    aria-selected={index === active}
                    onClick={() => go(index)}
                    onMouseMove={() => setActive(index)}
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
    </>
  )
}
