import { createHash } from 'node:crypto'
import { turnText } from './prompt-pieces.ts'

/** A call without a session of its own, as far as it can belong to one. */
export interface UnnamedCall {
  requestId: string
  /** Calls of different tokens are never one session. */
  tokenId: number
  /** One for each beginning of its conversation, the whole last. */
  prefixes: readonly string[]
  /** Ids at the vendor: of its answer, and of the answer that it goes on from. */
  answerId: string | null
  previousId: string | null
}

/** Digests of each beginning of a conversation. */
export function prefixesOf(turns: readonly unknown[]): string[] {
  let last = ''
  return turns.map((turn) => {
    last = createHash('sha1').update(last).update(turnText(turn)).digest('base64')
    return last
  })
}

/**
 * Puts calls together that go on from each other: each one's conversation is the beginning of the next one's, or its
 * answer is named by the next one. `calls`: the oldest first. Gives the groups of more than one.
 */
export function linkByPrefix(calls: readonly UnnamedCall[]): string[][] {
  const groups: string[][] = []
  const byEnd = new Map<string, string[]>()
  for (const { requestId, tokenId, prefixes, answerId, previousId } of calls) {
    const keys = prefixes.map((prefix) => `${tokenId} ${prefix}`)
    // The longest beginning that was a whole conversation; an equal one is the same question again.
    const before = keys
      .slice(0, -1)
      .reverse()
      .find((key) => byEnd.has(key))
    const group =
      (previousId === null ? undefined : byEnd.get(`${tokenId} ${previousId}`)) ??
      (before === undefined ? undefined : byEnd.get(before)) ??
      newGroup(groups)
    group.push(requestId)
    const end = keys.at(-1)
    if (end !== undefined) byEnd.set(end, group)
    if (answerId !== null) byEnd.set(`${tokenId} ${answerId}`, group)
  }
  return groups.filter(({ length }) => length > 1)
}

function newGroup(groups: string[][]): string[] {
  const group: string[] = []
  groups.push(group)
  return group
}
