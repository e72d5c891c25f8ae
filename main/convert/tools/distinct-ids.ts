import type { Part, Turn } from '../exchange.ts'
import type { StreamPart } from '../stream/stream-part.ts'
import { cleanedWithHash } from './tool-ids.ts'

/** As long as every vendor takes it. */
const LENGTH = 40

/**
 * Tells calls of one id apart: some vendors count from `call_0` in every answer, or give all calls of one the same
 * id. The first keeps it. A further one gets an id that depends on nothing but how many of that id came before, so a
 * conversation that is sent again reads the same.
 */
export class DistinctIds {
  readonly #used: Set<string>
  readonly #counts = new Map<string, number>()

  /** `used` are ids that are taken already. */
  constructor(used: Iterable<string> = []) {
    this.#used = new Set(used)
  }

  of<Id extends string | null>(id: Id): Id | string {
    if (id === null) return id
    let made: string = id
    let count = this.#counts.get(id) ?? 1
    while (this.#used.has(made)) made = cleanedWithHash(id, LENGTH, `${++count} ${id}`)
    this.#counts.set(id, count)
    this.#used.add(made)
    return made
  }

  /** A part of an answer, whole or streamed; what is no call stays as it is. */
  named<P extends Part | StreamPart>(part: P): P {
    if (part.type !== 'call' && part.type !== 'call-start') return part
    const id = this.of(part.id)
    return id === part.id ? part : { ...part, id }
  }
}

/** The ids of all calls in a conversation. */
export const callIdsOf = (turns: readonly Turn[]): string[] =>
  turns.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'call' && part.id !== null ? part.id : [])),
  )
