import { useEffect, useRef } from 'react'
import { isTyping, type Shortcut, shortcutOf } from './shortcuts.ts'

/** Runs a shortcut that the whole console has; one without Ctrl or ⌘ not while something is typed. */
export function useShortcut(name: Shortcut<'everywhere'>, run: () => void): void {
  const current = useRef(run)
  current.current = run
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      if (shortcutOf('everywhere', event) !== name) return
      if (!event.ctrlKey && !event.metaKey && isTyping(event.target)) return
      event.preventDefault()
      current.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [name])
}
