import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Pixels. */
export const rowHeight = 28
/** Rows above and below the window that are drawn too, and by how many it moves at once. */
const spare = 10
const step = 5
/** Where nothing is measured, as in tests without a layout. */
const assumedHeight = 800

/** Which rows of one height to draw: those in sight and some beside, so that scrolling draws few anew. */
export function useRowWindow(viewport: RefObject<HTMLDivElement | null>) {
  const [from, setFrom] = useState(0)
  const [height, setHeight] = useState(assumedHeight)
  const [width, setWidth] = useState(0)
  const [isScrolled, setScrolled] = useState(false)
  const latestTop = useRef(0)

  const onScroll = useCallback(() => {
    const top = viewport.current?.scrollTop ?? 0
    latestTop.current = top
    setFrom(Math.floor(top / rowHeight / step) * step)
    setScrolled(top > 0)
  }, [viewport])

  useEffect(() => {
    const element = viewport.current
    if (!element || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() => {
      setHeight(element.clientHeight || assumedHeight)
      setWidth(element.clientWidth)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [viewport])

  /** Rows to draw, of `count`; the last index is exclusive. */
  const rangeOf = (count: number) => ({
    first: Math.max(0, Math.min(from - spare, count - 1)),
    last: Math.min(count, from + step + Math.ceil(height / rowHeight) + spare),
  })

  /** Scrolls just as far as row `index` needs to be seen whole, below the head. */
  const show = useCallback(
    (index: number) => {
      const element = viewport.current
      if (!element) return
      const top = index * rowHeight
      const inSight = element.clientHeight - 2 * rowHeight
      if (top < element.scrollTop) element.scrollTop = top
      else if (top > element.scrollTop + inSight) element.scrollTop = top - inSight
      onScroll()
    },
    [viewport, onScroll],
  )

  const showTop = useCallback(() => {
    if (viewport.current) viewport.current.scrollTop = 0
    onScroll()
  }, [viewport, onScroll])

  /** How far it is scrolled, in pixels, also once the list is gone. */
  const topOf = useCallback(() => latestTop.current, [])

  return { rangeOf, width, isScrolled, onScroll, show, showTop, topOf }
}

export type RowWindow = ReturnType<typeof useRowWindow>
