import { stringifyExact } from '../../convert/json/exact-json.ts'

/** Most items that are in one of the lists alone; with more, the lists have little in common. */
const MOST_EDITS = 1000

/** Numbers for items, the same for equal ones. */
function numbered(lists: readonly (readonly unknown[])[]): number[][] {
  const numbers = new Map<string, number>()
  return lists.map((list) =>
    list.map((item) => {
      const text = stringifyExact(item)
      const number = numbers.get(text) ?? numbers.size
      numbers.set(text, number)
      return number
    }),
  )
}

/**
 * Pairs of indexes of equal items, a longest common subsequence of both lists; none where the lists differ in more than
 * 1000 items. Myers' algorithm (https://doi.org/10.1007/BF01840446).
 */
export function commonItems(
  first: readonly unknown[],
  second: readonly unknown[],
): [number, number][] {
  if (first.length === 0 || second.length === 0) return []
  const [from = [], to = []] = numbered([first, second])
  const most = Math.min(from.length + to.length, MOST_EDITS)
  const middle = most + 1
  /** Furthest index in `from` on each diagonal. */
  const ends = new Int32Array(2 * middle + 1)
  const end = (of: Int32Array, diagonal: number) => of[middle + diagonal] as number
  const comesFrom = (of: Int32Array, diagonal: number, edits: number) =>
    diagonal === -edits || (diagonal !== edits && end(of, diagonal - 1) < end(of, diagonal + 1))
      ? diagonal + 1
      : diagonal - 1
  const steps: Int32Array[] = []
  for (let edits = 0; edits <= most; edits++) {
    steps.push(ends.slice())
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const before = comesFrom(ends, diagonal, edits)
      let x = end(ends, before) + (before < diagonal ? 1 : 0)
      while (x < from.length && x - diagonal < to.length && from[x] === to[x - diagonal]) x++
      ends[middle + diagonal] = x
      if (x >= from.length && x - diagonal >= to.length) return pairsIn(steps, from, to)
    }
  }
  return []

  /** The way back through the steps. */
  function pairsIn(taken: readonly Int32Array[], one: number[], other: number[]) {
    const pairs: [number, number][] = []
    let x = one.length
    let y = other.length
    for (let edits = taken.length - 1; edits >= 0; edits--) {
      const state = taken[edits] as Int32Array
      const before = comesFrom(state, x - y, edits)
      const startX = end(state, before)
      const startY = startX - before
      while (x > startX && y > startY && x > 0 && y > 0) pairs.push([--x, --y])
      x = startX
      y = startY
    }
    return pairs.reverse()
  }
}
