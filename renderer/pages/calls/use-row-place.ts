import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { TimelineRow } from '../../gateway/records.ts'
import { rowId } from './list/row-id.ts'
import type { RowWindow } from './list/use-row-window.ts'

interface RowPlaceProps {
  rows: readonly TimelineRow[]
  /** Request id of the open row; empty for none. */
  open: string
  onOpen: (requestId: string) => void
  viewport: RefObject<HTMLDivElement | null>
  rowWindow: RowWindow
}

/** Which row has the keyboard's place, and which is open. A request may have several rows: the one chosen counts. */
export function useRowPlace({ rows, open, onOpen, viewport, rowWindow }: RowPlaceProps) {
  const [activeId, setActiveId] = useState('')
  const wantsFocus = useRef<number | null>(null)
  const placeOf = rows.findIndex((row) => rowId(row) === activeId)
  const isChosen = open !== '' && rows[placeOf]?.request_id === open
  const openIndex = isChosen ? placeOf : openIndexOf(rows, open)
  const activeIndex = openIndex >= 0 ? openIndex : placeOf

  const focus = useCallback(
    (index: number) => {
      const row = viewport.current?.querySelector<HTMLElement>(`[data-row="${index}"]`)
      row?.focus({ preventScroll: true })
      return row !== null && row !== undefined
    },
    [viewport],
  )

  // Of a link, or on the way back to the page; a row that is opened in the list is in sight.
  const linked = useRef(open)
  useEffect(() => {
    if (linked.current === '' || openIndex < 0) return
    if (linked.current === open) rowWindow.show(openIndex)
    linked.current = ''
  }, [open, openIndex, rowWindow.show])

  // A row that was far away is drawn only after the list has scrolled to it.
  useEffect(() => {
    if (wantsFocus.current !== null && focus(wantsFocus.current)) wantsFocus.current = null
  })

  /** Goes to a row; an open panel follows. */
  const goTo = useCallback(
    (index: number, opens: boolean) => {
      const row = rows[index]
      if (!row) return
      setActiveId(rowId(row))
      rowWindow.show(index)
      // Focus inside the panel stays there.
      if (!document.activeElement?.closest('[data-inspector]')) {
        wantsFocus.current = focus(index) ? null : index
      }
      if (opens && row.request_id) onOpen(row.request_id)
    },
    [rows, rowWindow.show, focus, onOpen],
  )

  return { openIndex, activeIndex, goTo, focus }
}

function openIndexOf(rows: readonly TimelineRow[], open: string): number {
  if (open === '') return -1
  return rows.findIndex(({ request_id }) => request_id === open)
}
