import type { CallPlace } from './searches.ts'

/** The first so many of two lists that are sorted already. */
export function mergeBest(
  one: readonly CallPlace[],
  other: readonly CallPlace[],
  most: number,
  isAscending: boolean,
): CallPlace[] {
  const way = isAscending ? 1 : -1
  return [...one, ...other]
    .sort((a, b) => way * (a.value - b.value || a.time - b.time || a.id - b.id))
    .slice(0, most)
}
