import { useEffect, useRef } from 'react'
import { shortcutOf } from '../../components/shortcuts/shortcuts.ts'

interface CallKeys {
  /** Moves by rows. */
  onMove(rows: number): void
  onEnd(which: 'first' | 'last'): void
  /** Chooses a tab of the open row, from 0. */
  onTab(index: number): void
  onSearch(): void
  /** Does nothing when no row is open. */
  onClose(): void
}

/** Where keys have a meaning of their own. */
const ownKeys =
  'input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=separator]'
const otherDialogs = '[role=dialog]:not([data-inspector])'

/** The keys of the Calls page, wherever the focus is on it. */
export function useCallKeys(keys: CallKeys): void {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { target } = event
      if (event.defaultPrevented || event.isComposing) return
      if (!(target instanceof Element) || target.closest(`${ownKeys}, ${otherDialogs}`)) return
      const run = actionOf(event, target, current.current)
      if (!run) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

function actionOf(event: KeyboardEvent, target: Element, keys: CallKeys): (() => void) | null {
  const { key } = event
  const shortcut = shortcutOf('calls', event)
  // In the panel these scroll, or go from tab to tab.
  const isInList = target === document.body || target.closest('[data-call-list]')
  if (!isInList && key.length > 1 && key !== 'Escape') return null
  switch (shortcut) {
    case 'next':
      return () => keys.onMove(1)
    case 'previous':
      return () => keys.onMove(-1)
    case 'first':
    case 'last':
      return () => keys.onEnd(shortcut)
    case 'tab':
      return () => keys.onTab(Number(key) - 1)
    case 'find':
      return keys.onSearch
    case 'leave':
      return keys.onClose
    default:
      // The row and the button of the open call have their own.
      return null
  }
}
