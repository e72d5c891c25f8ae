import { useEffect, useRef } from 'react'

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

/** The keys of the Calls page, wherever the focus is on it: j k ↑ ↓ Home End 1–9 / Esc. */
export function useCallKeys(keys: CallKeys): void {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target } = event
      if (event.defaultPrevented || event.isComposing) return
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (!(target instanceof Element) || target.closest(`${ownKeys}, ${otherDialogs}`)) return
      const run = actionOf(key, target, current.current)
      if (!run) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

function actionOf(key: string, target: Element, keys: CallKeys): (() => void) | null {
  if (key === 'j') return () => keys.onMove(1)
  if (key === 'k') return () => keys.onMove(-1)
  if (key === '/') return () => keys.onSearch()
  if (key === 'Escape') return () => keys.onClose()
  if (/^[1-9]$/.test(key)) return () => keys.onTab(Number(key) - 1)
  // In the panel these scroll, or go from tab to tab.
  const isInList = target === document.body || target.closest('[data-call-list]')
  if (!isInList) return null
  if (key === 'ArrowDown') return () => keys.onMove(1)
  if (key === 'ArrowUp') return () => keys.onMove(-1)
  if (key === 'Home') return () => keys.onEnd('first')
  return key === 'End' ? () => keys.onEnd('last') : null
}
