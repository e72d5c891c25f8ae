import { useEffect, useRef } from 'react'

/** Longer than Mantine’s own return of the focus takes. */
const PAUSE = 20

/**
 * Gives the focus back to what had it before a dialog whose code is loaded when it first opens. Mantine’s own return
 * knows only dialogs that were there, closed, before they opened.
 */
export function useFocusBack(opened: boolean): void {
  const before = useRef<Element | null>(null)
  useEffect(() => {
    const { activeElement } = document
    if (opened) {
      before.current = activeElement
      return
    }
    const element = before.current
    before.current = null
    if (!(element instanceof HTMLElement)) return
    const timer = setTimeout(() => {
      const isLeft = [document.body, activeElement].includes(document.activeElement)
      if (isLeft && element.isConnected) element.focus({ preventScroll: true })
    }, PAUSE)
    return () => clearTimeout(timer)
  }, [opened])
}
