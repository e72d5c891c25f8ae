import { digest } from '../../base/digest.ts'
import type {
  ExchangeRequest,
  Part,
  ReasoningPart,
  ReasoningState,
  ToolCallPart,
  Turn,
} from '../../convert/exchange.ts'
import { toolId } from '../../convert/tools/tool-ids.ts'
import { ArgumentKeys } from './argument-keys.ts'

const LIFETIME_SECONDS = 6 * 3600
const MOST_ENTRIES = 20_000
const MOST_BYTES = 64 * 1024 * 1024
/** Bytes of a snapshot: it is copied for one call. */
const MOST_COPIED = 8 * 1024 * 1024
/** Bytes of an entry beside its text. */
const ENTRY_BYTES = 300

/** A model's reasoning before one call. */
interface Remembered {
  /** Thoughts that opened the turn; they go back to its beginning. */
  opening: ReasoningPart[]
  /** Thoughts between what came before and the call. */
  before: ReasoningPart[]
  /** The call's own. */
  state?: ReasoningState
}

interface Entry {
  owner: string
  value: Remembered
  place: string
  bytes: number
  /** Unix seconds. */
  expires: number
}

/** One owner's entries, the least recently used first. Can be cloned. */
export type ReasoningSnapshot = readonly (readonly [key: string, entry: Entry])[]

export interface ReasoningMemoryOptions {
  /** Unix seconds. */
  now?: () => number
  mostEntries?: number
  mostBytes?: number
}

/** Longer ones are hashed: clients and vendors choose names and ids. */
const LONGEST_PLACE = 300

/**
 * A call's mark beside its arguments, which are dear to compare; an id of null stands for a call
 * known by name and arguments alone.
 */
function placeOf(owner: string, { namespace, name }: ToolCallPart, id: string | null): string {
  const place = JSON.stringify([owner, namespace ?? null, name, id])
  return place.length > LONGEST_PLACE ? digest(place) : place
}

/** The client may get to know the call by an id that its own format's rules made of the vendor's. */
const idRules = ['anthropic', 'any64', 'any40'] as const
const idsOf = ({ id }: ToolCallPart) =>
  id === null ? [null] : [id, ...idRules.map((rule) => toolId(id, rule))]

const withoutPlace = ({ at: _at, cacheMark: _cacheMark, ...part }: ReasoningPart): ReasoningPart =>
  part

/** The reasoning of each call of a turn; calls without any are left out. */
function thoughtsOf(parts: readonly Part[]): { call: ToolCallPart; value: Remembered }[] {
  const found: { call: ToolCallPart; value: Remembered }[] = []
  let opening: ReasoningPart[] = []
  let before: ReasoningPart[] = []
  let isOpening = true
  for (const part of parts) {
    if (part.type === 'reasoning') {
      ;(isOpening ? opening : before).push(withoutPlace(part))
      continue
    }
    isOpening = false
    if (part.type !== 'call') continue
    if (opening.length > 0 || before.length > 0 || part.state) {
      const state = part.state ? { state: part.state } : {}
      found.push({ call: part, value: { opening, before, ...state } })
    }
    opening = []
    before = []
  }
  return found
}

const hasState = (part: Part) =>
  (part.type === 'reasoning' || part.type === 'call' || part.type === 'text') &&
  part.state !== undefined

/**
 * The thoughts that led to calls of tools, for clients that echo none of them (most that speak Chat). Bounded
 * by number and size, the least recently used going first, and each forgotten six hours after its last use.
 * In memory only; nobody gets the thoughts of another owner.
 */
export class ReasoningMemory {
  readonly #now: () => number
  readonly #mostEntries: number
  readonly #mostBytes: number
  /** In the order of use, and so of expiry. */
  readonly #entries = new Map<string, Entry>()
  /** How many entries there are of each place. */
  readonly #places = new Map<string, number>()
  readonly #arguments = new ArgumentKeys()
  #bytes = 0

  constructor(options: ReasoningMemoryOptions = {}) {
    this.#now = options.now ?? (() => Math.floor(Date.now() / 1000))
    this.#mostEntries = options.mostEntries ?? MOST_ENTRIES
    this.#mostBytes = options.mostBytes ?? MOST_BYTES
  }

  /** About how much it holds, in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /** Keeps what an answer thought before each of its calls. `owner` is the token's id. */
  remember(owner: string, parts: readonly Part[]): void {
    this.#forgetExpired()
    for (const { call, value } of thoughtsOf(parts)) {
      const bytes = JSON.stringify(value).length * 2 + ENTRY_BYTES
      if (bytes > this.#mostBytes) continue
      const text = this.#arguments.of(call)
      for (const id of new Set(idsOf(call))) {
        const place = placeOf(owner, call, id)
        const key = place + text
        this.#put(key, { owner, value, place, bytes, expires: this.#now() + LIFETIME_SECONDS })
      }
    }
    for (const key of this.#entries.keys()) {
      if (this.#entries.size <= this.#mostEntries && this.#bytes <= this.#mostBytes) break
      this.#remove(key)
    }
  }

  /** An owner's entries for another memory; of many the newest. They count as used. */
  snapshot(owner: string): ReasoningSnapshot {
    this.#forgetExpired()
    const found: [string, Entry][] = []
    let bytes = 0
    for (const [key, entry] of [...this.#entries].reverse()) {
      if (entry.owner !== owner) continue
      bytes += entry.bytes
      if (bytes > MOST_COPIED) break
      found.push([key, entry])
    }
    found.reverse()
    for (const [key, entry] of found) {
      this.#entries.delete(key)
      this.#entries.set(key, { ...entry, expires: this.#now() + LIFETIME_SECONDS })
    }
    return found
  }

  /** Takes over what another memory has remembered. */
  adopt(snapshot: ReasoningSnapshot): void {
    for (const [key, entry] of snapshot) this.#put(key, entry)
  }

  /**
   * Puts the thoughts back in front of the calls that they led to. A run of the assistant's turns in which
   * the client has sent any state itself is left as it is.
   */
  restore(owner: string, request: ExchangeRequest): ExchangeRequest {
    this.#forgetExpired()
    if (this.#entries.size === 0) return request
    const turns: Turn[] = []
    let run: Turn[] = []
    let isChanged = false
    const closeRun = () => {
      const restored = this.#restoreRun(owner, run)
      if (restored) isChanged = true
      turns.push(...(restored ?? run))
      run = []
    }
    for (const turn of request.turns) {
      if (turn.role === 'assistant') {
        run.push(turn)
        continue
      }
      closeRun()
      turns.push(turn)
    }
    closeRun()
    return isChanged ? { ...request, turns } : request
  }

  #restoreRun(owner: string, run: readonly Turn[]): Turn[] | null {
    const parts = run.flatMap((turn) => turn.parts)
    if (parts.some(hasState)) return null
    const found = new Map<ToolCallPart, Remembered>()
    for (const part of parts) {
      const value = part.type === 'call' ? this.#find(owner, part) : undefined
      if (part.type === 'call' && value) found.set(part, value)
    }
    const values = [...found.values()]
    const thoughts = values.flatMap(({ opening, before }) => [...opening, ...before])
    const echoes = parts.some(({ type }) => type === 'reasoning')
    // The same thoughts without any state: what the client echoes is as good.
    const isEchoed = echoes && !thoughts.some(hasState) && !values.some(({ state }) => state)
    if (values.length === 0 || isEchoed) return null
    const restored = run.map((turn) => ({
      ...turn,
      parts: turn.parts.flatMap((part): Part[] => {
        // Its state belongs to the very text that was remembered, which the client may have cut.
        if (part.type === 'reasoning' && thoughts.length > 0) return []
        const value = part.type === 'call' ? found.get(part) : undefined
        if (part.type !== 'call' || !value) return [part]
        return [...value.before, value.state ? { ...part, state: value.state } : part]
      }),
    }))
    restored[0]?.parts.unshift(...values.flatMap(({ opening }) => opening))
    return restored
  }

  #find(owner: string, call: ToolCallPart): Remembered | undefined {
    for (const id of new Set([call.id, null])) {
      const place = placeOf(owner, call, id)
      // Most calls of a long history are none of those remembered: these cost no look at their arguments.
      if (!this.#places.has(place)) continue
      const key = place + this.#arguments.of(call)
      const entry = this.#entries.get(key)
      if (!entry) continue
      this.#entries.delete(key)
      this.#entries.set(key, { ...entry, expires: this.#now() + LIFETIME_SECONDS })
      return entry.value
    }
    return undefined
  }

  #put(key: string, entry: Entry): void {
    this.#remove(key)
    this.#entries.set(key, entry)
    this.#places.set(entry.place, (this.#places.get(entry.place) ?? 0) + 1)
    this.#bytes += entry.bytes
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
    const left = (this.#places.get(entry.place) ?? 0) - 1
    if (left > 0) this.#places.set(entry.place, left)
    else this.#places.delete(entry.place)
  }

  #forgetExpired(): void {
    const now = this.#now()
    for (const [key, { expires }] of this.#entries) {
      if (expires > now) break
      this.#remove(key)
    }
  }
}
