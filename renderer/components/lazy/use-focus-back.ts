import { useEffect, useRef } from 'react'

/** Longer than Mantine’s own return of the focus takes. */
const PAUSE = 20

/** What last had the focus outside of all dialogs, before one opened. */
let outside: Element | null = null

/**
 * Gives the focus back to what had it before a dialog whose code is loaded when it first opens. Mantine’s own return
 * knows only dialogs that were there, closed, before they opened. Where that went with a dialog of its own, such as
 * the search, it's what had the focus before both.
 */
export function useFocusBack(opened: boolean): void {
  const before = useRef<(Element | null)[]>([])
  useEffect(() => {
    const { activeElement } = document
    if (opened) {
      if (!activeElement?.closest('[role=dialog]')) outside = activeElement
      before.current = [activeElement, outside]
      return
    }
    const elements = before.current
    before.current = []
    const timer = setTimeout(() => {
      const isLeft = [document.body, activeElement].includes(document.activeElement)
      const element = elements.find((one) => one?.isConnected)
      if (isLeft && element instanceof HTMLElement) element.focus({ preventScroll: true })
    }, PAUSE)
    return () => clearTimeout(timer)
  }, [opened])
}
