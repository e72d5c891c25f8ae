import type { TooltipProps } from '@mantine/core'
import { cloneElement, type ReactElement, type SyntheticEvent, useEffect, useState } from 'react'
import { lazyCode } from '../lazy/lazy-code.ts'
import { useCode } from '../lazy/use-code.ts'

type Handle = (event: SyntheticEvent<HTMLElement>) => void

interface TipProps extends Pick<TooltipProps, 'label' | 'multiline' | 'maw' | 'style'> {
  /** An element that takes the handlers of pointer and focus. */
  children: ReactElement<Record<string, unknown>>
  disabled?: boolean
  /** Also shows when the keyboard reaches the element. */
  showsOnFocus?: boolean
}

export const placedTooltip = lazyCode(
  async () => (await import('./placed-tooltip.tsx')).PlacedTooltip,
  { isFirst: true },
)

/** Milliseconds, like the tooltips of `theme.ts`. */
const delay = 400

/** A tooltip for the first screen: the 60 KB that place it are loaded when the pointer comes. */
export function Tip({ children, disabled = false, showsOnFocus = false, ...looks }: TipProps) {
  const [target, setTarget] = useState<HTMLElement>()
  const [isWanted, setWanted] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const tooltip = useCode(placedTooltip)
  useEffect(() => {
    if (!isWanted) return
    const timer = setTimeout(() => setOpen(true), delay)
    return () => {
      clearTimeout(timer)
      setOpen(false)
    }
  }, [isWanted])

  const show: Handle = ({ currentTarget }) => {
    setTarget(currentTarget)
    setWanted(true)
    // It’s a hint: where its code is out of reach, the page says so elsewhere.
    tooltip.load().catch(() => {})
  }
  const also = (name: string, handle: Handle): Record<string, Handle> => ({
    [name]: (event) => {
      const own = children.props[name]
      if (typeof own === 'function') own(event)
      handle(event)
    },
  })
  return (
    <>
      {cloneElement(children, {
        ...also('onPointerEnter', (event) => {
          if (!('pointerType' in event) || event.pointerType !== 'touch') show(event)
        }),
        ...also('onPointerLeave', () => setWanted(false)),
        ...also('onFocus', (event) => {
          if (showsOnFocus && event.currentTarget.matches(':focus-visible')) show(event)
        }),
        ...also('onBlur', () => setWanted(false)),
      })}
      {tooltip.Content && target && (
        <tooltip.Content {...looks} target={target} opened={isOpen && !disabled} />
      )}
    </>
  )
}
