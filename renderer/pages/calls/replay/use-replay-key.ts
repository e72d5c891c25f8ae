import { useEffect, useRef } from 'react'

/** Those that would take the key; the one that came last does. */
const handlers: (() => void)[] = []

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName))

/** R, when nothing is being typed. Of several calls that are open the last one opened takes it. */
export function onReplayKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target, defaultPrevented } = event
  if (key !== 'r' || ctrlKey || metaKey || altKey || shiftKey) return
  if (defaultPrevented || isTyping(target)) return
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
