import type { KeyboardEvent, ReactNode } from 'react'
import { shortcutOf } from '../../../components/shortcuts/shortcuts.ts'
import styles from './route-form.module.css'

interface MovableRowProps {
  /** "Target 1". */
  name: string
  isFirst: boolean
  isLast: boolean
  /** By -1 or 1. */
  onMove: (step: number) => void
  children: ReactNode
}

/** A row that moves by keys, wherever the focus is in it. */
export function MovableRow({ name, isFirst, isLast, onMove, children }: MovableRowProps) {
  // Captured, since a field with a list of options would open it.
  const onKeyDown = (event: KeyboardEvent<HTMLLIElement>) => {
    const shortcut = shortcutOf('routes', event)
    const isOwn = (event.target as Element).closest('[data-movable]') === event.currentTarget
    if (!shortcut || !isOwn) return
    event.preventDefault()
    event.stopPropagation()
    if (shortcut === 'up' ? !isFirst : !isLast) onMove(shortcut === 'up' ? -1 : 1)
  }
  return (
    <li data-movable onKeyDownCapture={onKeyDown}>
      <fieldset className={styles.row}>
        <legend className={styles.legend}>{name}</legend>
        {children}
      </fieldset>
    </li>
  )
}
