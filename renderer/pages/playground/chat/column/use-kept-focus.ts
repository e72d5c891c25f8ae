import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

interface Focused {
  element: Element
  /** Its turn's place in the thread. */
  turn: number
}

/**
 * Keeps the keyboard in a thread whose turns go away, as when a reply is asked for again or another version of it is
 * shown: on the same button of what took the turn's place, else on the thread. It would begin at the page's top.
 */
export function useKeptFocus(frame: RefObject<HTMLElement | null>) {
  const focused = useRef<Focused | null>(null)
  useLayoutEffect(() => {
    const lost = focused.current
    if (!lost || lost.element.isConnected) return
    focused.current = null
    if (document.activeElement !== document.body) return
    const label = lost.element.getAttribute('aria-label')
    const turn = turnsIn(frame.current)[lost.turn]
    const buttons = [...(turn?.querySelectorAll<HTMLButtonElement>('button') ?? [])]
    const same = buttons.find((one) => one.getAttribute('aria-label') === label && !one.disabled)
    const next = same ?? frame.current
    next?.focus({ preventScroll: true })
  })
  return {
    onFocus({ target }: FocusEvent<HTMLElement>) {
      const turn = turnsIn(frame.current).findIndex((one) => one.contains(target))
      focused.current = { element: target, turn }
    },
    onBlur({ target }: FocusEvent<HTMLElement>) {
      // An element that is taken away also loses the focus.
      if (target.isConnected) focused.current = null
    },
  }
}

const turnsIn = (frame: HTMLElement | null): Element[] => [
  ...(frame?.querySelectorAll('article') ?? []),
]
