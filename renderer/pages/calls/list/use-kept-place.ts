import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { GatewayClient } from '../../../gateway/client.ts'
import { useGateway } from '../../../gateway/gateway-context.ts'
import type { TimelineRow } from '../../../gateway/records.ts'
import { rowId } from './row-id.ts'
import { type RowWindow, rowHeight } from './use-row-window.ts'

/** The row at the top of the list, and how far of it is scrolled away, in pixels. */
interface Place {
  question: string
  id: string
  offset: number
}

const places = new WeakMap<GatewayClient, Place>()

interface KeptPlaceProps {
  /** Another one's place isn't taken up. */
  question: string
  rows: readonly TimelineRow[]
  viewport: RefObject<HTMLDivElement | null>
  rowWindow: RowWindow
  /** A row is open: the list goes to that one. */
  isOpen: boolean
}

/**
 * On the way back to the page the list stands where it was left. It is read anew, so a row that isn't among the first
 * ones any more leaves the list at its top.
 */
export function useKeptPlace({ question, rows, viewport, rowWindow, isOpen }: KeptPlaceProps) {
  const client = useGateway()
  const wanted = useRef(isOpen ? undefined : places.get(client))
  useLayoutEffect(() => {
    const place = wanted.current
    if (!place || rows.length === 0) return
    wanted.current = undefined
    const index = rows.findIndex((row) => rowId(row) === place.id)
    if (place.question !== question || index < 0 || !viewport.current) return
    viewport.current.scrollTop = index * rowHeight + place.offset
    rowWindow.onScroll()
  }, [question, rows, viewport, rowWindow.onScroll])

  const latest = useRef({ question, rows, topOf: rowWindow.topOf })
  latest.current = { question, rows, topOf: rowWindow.topOf }
  useEffect(
    () => () => {
      const { question, rows, topOf } = latest.current
      const top = topOf()
      const row = top > 0 ? rows[Math.floor(top / rowHeight)] : undefined
      if (row) places.set(client, { question, id: rowId(row), offset: top % rowHeight })
      else places.delete(client)
    },
    [client],
  )
}
