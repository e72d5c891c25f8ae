import { createHash } from 'node:crypto'
import { turnText } from './prompt-pieces.ts'

/** A call whose client names no session, as far as it can belong to one. */
export interface UnnamedCall {
  requestId: string
  /** Unix seconds of its row. */
  createdAt: number
  /** Whose call it is: calls of different owners are never one session. */
  owner: string
  turns: readonly unknown[]
  /** Ids at the vendor: of its answer, and of the answer that it goes on from. */
  answerId: string | null
  previousId: string | null
}

type CallKey = Pick<UnnamedCall, 'requestId' | 'createdAt'>

/** Calls that belong to one session, by the request id of its first one. */
export interface JoinedCalls {
  first: string
  /** Those that were not told of before, the oldest first. */
  calls: readonly CallKey[]
}

interface Thread {
  first: CallKey
  isJoined: boolean
}

/** Conversations that can be gone on with; the one that was so longest ago is forgotten first. */
const MOST = 10_000

const digest = (...parts: readonly string[]): string => {
  const hash = createHash('sha1')
  for (const part of parts) hash.update(part)
  return hash.digest('base64')
}

/**
 * Finds out which calls go on from each other: each one's conversation is the beginning of the next one's, or its answer
 * is named by the next one. Keeps digests and ids only.
 */
export class ConversationIndex {
  readonly #threads = new Map<string, Thread>()

  /** Takes a call in, the older ones before it; null as long as it stands alone. */
  add(call: UnnamedCall): JoinedCalls | null {
    const { requestId, createdAt, owner, answerId, previousId } = call
    const key = { requestId, createdAt }
    const prefixes = prefixesOf(call)
    const previous = previousId === null ? undefined : this.#threads.get(`${owner} ${previousId}`)
    const before = previous ?? this.#longest(prefixes)
    const thread = before ?? { first: key, isJoined: false }
    const end = prefixes.at(-1)
    if (end !== undefined) this.#keep(end, thread)
    if (answerId !== null) this.#keep(`${owner} ${answerId}`, thread)
    if (!before) return null
    const calls = thread.isJoined ? [key] : [thread.first, key]
    thread.isJoined = true
    return { first: thread.first.requestId, calls }
  }

  /**
   * Takes in a call that was looked at by an earlier run of the gateway; `session` is the request id of its session's
   * first call, null where it stood alone. What is known of its conversation since then stands.
   */
  recall(call: UnnamedCall, session: string | null): void {
    const { requestId, createdAt, owner, answerId } = call
    const first = { requestId: session ?? requestId, createdAt }
    const thread = { first, isJoined: session !== null }
    const ends = [prefixesOf(call).at(-1), answerId === null ? undefined : `${owner} ${answerId}`]
    for (const end of ends) {
      if (end !== undefined && !this.#threads.has(end)) this.#keep(end, thread)
    }
  }

  /** Of the longest beginning that was a whole conversation; an equal one is the same question again. */
  #longest(prefixes: readonly string[]): Thread | undefined {
    for (let at = prefixes.length - 2; at >= 0; at--) {
      const thread = this.#threads.get(prefixes[at] as string)
      if (thread) return thread
    }
    return undefined
  }

  #keep(end: string, thread: Thread): void {
    this.#threads.delete(end)
    this.#threads.set(end, thread)
    if (this.#threads.size <= MOST) return
    const [oldest] = this.#threads.keys()
    if (oldest !== undefined) this.#threads.delete(oldest)
  }
}

/** Digests of each beginning of a conversation, the whole last. */
function prefixesOf({ owner, previousId, turns }: UnnamedCall): string[] {
  let last = digest(owner, ' ', previousId ?? '')
  return turns.map((turn) => {
    last = digest(last, turnText(turn))
    return last
  })
}
