import { useCallback, useState } from 'react'
import { keepChoice, readChoice } from '../kept-choice.ts'

/** Pixels. */
const usual = 520
const least = 360
/** Pixels that the sidebar and the list need beside the panel. */
const beside = 680

export interface PanelWidth {
  value: number
  least: number
  most: number
  set(width: number): void
}

/** The width of the panel, which this browser remembers. */
export function usePanelWidth(): PanelWidth {
  const [chosen, setChosen] = useState(() => Number(readChoice('panel-width')) || usual)
  const most = Math.max(least, window.innerWidth - beside)
  const clamp = (width: number) => Math.round(Math.min(most, Math.max(least, width)))
  const set = useCallback((width: number) => {
    setChosen(width)
    keepChoice('panel-width', String(width))
  }, [])
  return { value: clamp(chosen), least, most, set: (width) => set(clamp(width)) }
}
