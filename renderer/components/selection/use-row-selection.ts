import { useMemo, useRef, useState } from 'react'

export interface RowSelection {
  /** False for a list too short for bulk actions: its rows can’t be selected. */
  isOffered: boolean
  ids: readonly number[]
  has(id: number): boolean
  /** With `range`, also every row between this one and the one clicked before. */
  set(id: number, isSelected: boolean, range: boolean): void
  /** How many rows of the page are selected. */
  state: 'all' | 'some' | 'none'
  setAll(isSelected: boolean): void
  clear(): void
}

/**
 * Keeps the order of the rows shown. A row that leaves the page is no longer selected, so that no action
 * hits an invisible row.
 */
export function useRowSelection(shown: readonly number[], isOffered: boolean): RowSelection {
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const last = useRef<number | null>(null)
  const ids = useMemo(() => shown.filter((id) => ticked.has(id)), [shown, ticked])

  const change = (changed: readonly number[], isSelected: boolean) => {
    const next = new Set(ids)
    for (const id of changed) {
      if (isSelected) next.add(id)
      else next.delete(id)
    }
    setTicked(next)
  }
  return {
    isOffered,
    ids,
    has: (id) => ticked.has(id),
    set(id, isSelected, range) {
      change(range ? between(shown, last.current, id) : [id], isSelected)
      last.current = id
    },
    state: ids.length === 0 ? 'none' : ids.length === shown.length ? 'all' : 'some',
    setAll: (isSelected) => change(shown, isSelected),
    clear() {
      setTicked(new Set())
      last.current = null
    },
  }
}

function between(shown: readonly number[], from: number | null, to: number): readonly number[] {
  const [first, second] = [from === null ? -1 : shown.indexOf(from), shown.indexOf(to)]
  if (first === -1) return [to]
  return shown.slice(Math.min(first, second), Math.max(first, second) + 1)
}
