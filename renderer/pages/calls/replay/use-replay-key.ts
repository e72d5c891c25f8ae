import { useEffect, useRef } from 'react'
import { isDialogOpen, isTyping, shortcutOf } from '../../../components/shortcuts/shortcuts.ts'

/** Those that would take the key; the one that came last does. */
const handlers: (() => void)[] = []

/** R, when nothing is being typed. Of several calls that are open the last one opened takes it. */
export function onReplayKey(event: KeyboardEvent): void {
  if (shortcutOf('calls', event) !== 'replay') return
  if (event.defaultPrevented || isTyping(event.target) || isDialogOpen()) return
  const handler = handlers.at(-1)
  if (!handler) return
  event.preventDefault()
  handler()
}

/** Runs on R while the component is there. */
export function useReplayKey(open: (() => void) | null): void {
  const current = useRef(open)
  current.current = open
  const isOn = open !== null
  useEffect(() => {
    if (!isOn) return
    const handler = () => current.current?.()
    if (handlers.push(handler) === 1) document.addEventListener('keydown', onReplayKey)
    return () => {
      handlers.splice(handlers.indexOf(handler), 1)
      if (handlers.length === 0) document.removeEventListener('keydown', onReplayKey)
    }
  }, [isOn])
}
