import type { TablerIcon } from '@tabler/icons-react'

export interface SearchTarget {
  /** Its own among all targets. */
  key: string
  group: string
  name: string
  detail?: string
  /** Further words by which it’s found, after those whose name matches. */
  words?: string
  icon: TablerIcon
  /** The page it opens, after `run` if it has both. */
  path?: string
  /** False keeps the search open. */
  run?: () => Promise<boolean> | boolean
}

/** 0 for the name itself, 1 where it begins so, 2 where it has all words, 3 with the other words; null for no match. */
function rankOf({ name, words = '' }: SearchTarget, wanted: string): 0 | 1 | 2 | 3 | null {
  const parts = wanted.split(/\s+/)
  const own = name.toLowerCase()
  const hasAll = (text: string) => parts.every((part) => text.includes(part))
  if (own === wanted) return 0
  if (own.startsWith(wanted)) return 1
  if (hasAll(own)) return 2
  return hasAll(`${own} ${words.toLowerCase()}`) ? 3 : null
}

/** Those that match, the best first. */
export function matching(targets: readonly SearchTarget[], text: string): SearchTarget[] {
  const wanted = text.trim().toLowerCase()
  return targets
    .flatMap((target) => {
      const rank = rankOf(target, wanted)
      return rank === null ? [] : [{ target, rank }]
    })
    .sort((one, other) => one.rank - other.rank)
    .map(({ target }) => target)
}
