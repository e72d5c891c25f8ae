import { type HTMLAttributes, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import styles from './fixed-rows.module.css'

interface FixedRowsProps extends Omit<HTMLAttributes<HTMLDivElement>, 'children'> {
  count: number
  /** Pixels. */
  rowHeight: number
  /** Pixels; fewer where the rows need less. */
  maxHeight: number
  /** Kept in view. */
  active: number | null
  /** Called for the rows in view alone. */
  row: (index: number) => ReactNode
}

/** Rows beyond the edges, so that a quick scroll shows no gap. */
const beyond = 8

/** A list of rows of one height that draws only those in view. */
export function FixedRows(props: FixedRowsProps) {
  const { count, rowHeight, maxHeight, active, row, ...rest } = props
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const height = Math.min(maxHeight, count * rowHeight)
  const first = Math.max(0, Math.floor(top / rowHeight) - beyond)
  const last = Math.min(count, Math.ceil((top + maxHeight) / rowHeight) + beyond)

  // Before the paint: the rows at the new place must be there with it.
  useLayoutEffect(() => {
    const element = box.current
    if (!element || active === null) return
    const from = active * rowHeight
    if (from < element.scrollTop) element.scrollTop = from
    else if (from + rowHeight > element.scrollTop + height) {
      element.scrollTop = from + rowHeight - height
    }
    setTop(element.scrollTop)
  }, [active, rowHeight, height])

  const shown = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index)
  return (
    <div
      {...rest}
      ref={box}
      className={styles.box}
      // A horizontal scroll bar takes room below the rows.
      style={{ height: height + 2, maxHeight }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div
        role="presentation"
        className={styles.all}
        style={{ paddingTop: first * rowHeight, paddingBottom: (count - last) * rowHeight }}
      >
        {shown.map(row)}
      </div>
    </div>
  )
}
