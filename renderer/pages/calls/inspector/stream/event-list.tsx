import { type KeyboardEvent, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../../components/format/use-format.ts'
import { shortcutOf } from '../../../../components/shortcuts/shortcuts.ts'
import type { CapturedEvent } from '../capture/capture-record.ts'
import { FixedRows } from '../layout/fixed-rows.tsx'
import styles from './stream.module.css'

/** Pixels. */
const ROW = 22
const HEIGHT = 330

/** Characters of an event's line. */
const SHOWN = 120

const inOneLine = (text: string): string => text.slice(0, SHOWN).replace(/\r?\n/g, '↵')

interface EventListProps {
  events: readonly CapturedEvent[]
  label: string
  chosen: number | null
  /** Events that match the one selected in the other list. */
  linked: ReadonlySet<number>
  time: number
  /** The last that has come while the stream plays. */
  arrived: number | null
  onChoose: (index: number) => void
  /** To the other list. */
  onCross: () => void
}

/** A side's events in order; those still to come at this time are faint. */
export function EventList(props: EventListProps) {
  const { events, label, chosen, linked, time, arrived, onChoose, onCross } = props
  const { t } = useTranslation()
  const format = useFormat()
  const id = useId()
  const [firstLinked] = linked
  const last = events.length - 1

  const onKeyDown = (event: KeyboardEvent) => {
    const moves = {
      later: () => onChoose(chosen === null ? 0 : Math.min(last, chosen + 1)),
      earlier: () => onChoose(Math.max(0, (chosen ?? 1) - 1)),
      first: () => onChoose(0),
      last: () => onChoose(last),
      across: onCross,
      // The player around has it.
      play: undefined,
    }
    const shortcut = shortcutOf('stream', event)
    const move = shortcut && moves[shortcut]
    if (!move) return
    event.preventDefault()
    event.stopPropagation()
    move()
  }

  if (events.length === 0) return <div className={styles.none}>{t('inspector.noEventsHere')}</div>
  return (
    <FixedRows
      count={events.length}
      rowHeight={ROW}
      maxHeight={HEIGHT}
      active={arrived ?? chosen ?? firstLinked ?? null}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={chosen === null ? undefined : `${id}-${chosen}`}
      onKeyDown={onKeyDown}
      row={(index) => {
        const event = events[index]
        return (
          event && (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list around it has the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the list around it has the focus
            <div
              key={index}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              aria-setsize={events.length}
              aria-posinset={index + 1}
              className={styles.event}
              data-chosen={index === chosen || undefined}
              data-linked={linked.has(index) || undefined}
              data-later={event.at > time || undefined}
              onClick={() => onChoose(index)}
            >
              <span className={styles.at}>{format.duration(event.at)}</span>
              <span className={styles.words} data-plain={event.text === '' || undefined}>
                {linked.has(index) && (
                  <span className={styles.unseen}>{t('inspector.linked')}</span>
                )}
                {inOneLine(
                  event.text === ''
                    ? [event.event, event.data].filter(Boolean).join(' ')
                    : event.text,
                )}
              </span>
            </div>
          )
        )
      }}
    />
  )
}
