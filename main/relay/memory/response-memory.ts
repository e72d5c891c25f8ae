import type { ExchangeRequest, Native, Part, Turn } from '../../convert/exchange.ts'
import { asString } from '../../convert/json/json-value.ts'
import { partsByItem } from '../../convert/responses/answer/answer-items.ts'
import { readItemId } from '../../convert/responses/item-ids.ts'
import { INSTRUCTIONS } from '../../convert/responses/request/decode-request.ts'

const LIFETIME_SECONDS = 6 * 3600
const MOST_BYTES = 64 * 1024 * 1024
/** Bytes of an entry beside its turns. */
const ENTRY_BYTES = 300

/** Where turns stand that a client has not sent itself, for what is said of them. */
const PLACE = 'previous_response_id'

interface Entry {
  /** The conversation up to the answer, and the answer as its last turn. */
  turns: Turn[]
  /** Unix seconds. */
  expires: number
}

interface ResponseMemoryOptions {
  /** Unix seconds. */
  now?: () => number
  mostBytes?: number
}

/** Ids and states of items mean something only inside the answer that they came with. */
function withoutItem(native: Native | undefined): { native?: Native } {
  if (!native) return {}
  const { item_id: _id, item: _item, status: _status, ...fields } = native.fields
  return Object.keys(fields).length > 0 ? { native: { ...native, fields } } : {}
}

function keptPart(original: Part): Part {
  const { native, ...part } = { ...original, at: PLACE }
  const kept = { ...part, ...withoutItem(native) } as Part
  if (kept.type !== 'result') return kept
  return { ...kept, parts: kept.parts.map((inner) => ({ ...inner, at: PLACE })) }
}

/** A turn as it is kept; one that comes out of the memory is the same object again. */
const keptTurn = (turn: Turn): Turn =>
  turn.at === PLACE ? turn : { ...turn, at: PLACE, parts: turn.parts.map(keptPart) }

const isInstructions = ({ at }: Turn): boolean => at === INSTRUCTIONS

/**
 * Answers that a client may go on from by their id alone (`previous_response_id`), or whose items it names
 * instead of sending them (`item_reference`). Bounded by size, the least recently used going first, and each
 * forgotten six hours after its last use. In memory only; nobody gets the answers of another owner.
 */
export class ResponseMemory {
  readonly #now: () => number
  readonly #mostBytes: number
  /** In the order of use, and so of expiry. */
  readonly #entries = new Map<string, Entry>()
  /** A conversation's answers share its earlier turns: each counts once. */
  readonly #turns = new Map<Turn, { bytes: number; uses: number }>()
  #bytes = 0

  constructor(options: ResponseMemoryOptions = {}) {
    this.#now = options.now ?? (() => Math.floor(Date.now() / 1000))
    this.#mostBytes = options.mostBytes ?? MOST_BYTES
  }

  /** About how much it holds, in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Keeps an answer with the conversation that led to it, but not the instructions: those hold for one call
   * only. `owner` is the token's id, `turns` are the request's with what it went on from.
   */
  remember(owner: string, id: string, turns: readonly Turn[], answer: readonly Part[]): void {
    this.#forgetExpired()
    const key = keyOf(owner, id)
    this.#remove(key)
    const kept = turns.filter((turn) => !isInstructions(turn)).map(keptTurn)
    const parts = answer.map(keptPart)
    const entry = {
      turns: [...kept, { role: 'assistant' as const, parts, at: PLACE }],
      expires: this.#now() + LIFETIME_SECONDS,
    }
    this.#entries.set(key, entry)
    this.#bytes += ENTRY_BYTES
    for (const turn of entry.turns) this.#use(turn)
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#mostBytes) break
      this.#remove(oldest)
    }
  }

  /** The turns to put before a request's own; undefined for an answer that is not kept. */
  resolve(owner: string, id: string): Turn[] | undefined {
    const entry = this.#find(owner, id)
    return entry && [...entry.turns]
  }

  /**
   * The request with what it only names: the conversation of `previous_response_id` behind its instructions,
   * and the items of answers in place of references to them. What is not kept stays as it is.
   */
  resume(owner: string, request: ExchangeRequest): ExchangeRequest {
    const { previousResponseId, ...rest } = request
    const turns = this.#withItems(owner, request.turns)
    const earlier =
      previousResponseId === undefined ? undefined : this.resolve(owner, previousResponseId)
    if (!earlier) return turns === request.turns ? request : { ...request, turns }
    const leading = turns.filter(isInstructions)
    const others = turns.filter((turn) => !isInstructions(turn))
    return { ...rest, turns: [...leading, ...earlier, ...others] }
  }

  #withItems(owner: string, turns: Turn[]): Turn[] {
    let isChanged = false
    const found = turns.map((turn) => {
      const [part] = turn.parts
      if (part?.type !== 'native' || part.value.type !== 'item_reference') return turn
      const named = readItemId(asString(part.value.id) ?? '')
      const entry = named ? this.#find(owner, named.answer) : undefined
      const parts = entry && named && partsByItem(entry.turns.at(-1)?.parts ?? []).get(named.index)
      if (!parts) return turn
      isChanged = true
      return { ...turn, parts: parts.map((one) => ({ ...one, at: turn.at ?? PLACE })) }
    })
    return isChanged ? found : turns
  }

  #find(owner: string, id: string): Entry | undefined {
    this.#forgetExpired()
    const key = keyOf(owner, id)
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    entry.expires = this.#now() + LIFETIME_SECONDS
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry
  }

  #use(turn: Turn): void {
    const known = this.#turns.get(turn)
    if (known) {
      known.uses++
      return
    }
    const bytes = lengthOf(turn) * 2
    this.#turns.set(turn, { bytes, uses: 1 })
    this.#bytes += bytes
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#bytes -= ENTRY_BYTES
    for (const turn of entry.turns) {
      const known = this.#turns.get(turn)
      if (!known) continue
      known.uses--
      if (known.uses > 0) continue
      this.#turns.delete(turn)
      this.#bytes -= known.bytes
    }
  }

  #forgetExpired(): void {
    const now = this.#now()
    for (const [key, { expires }] of this.#entries) {
      if (expires > now) break
      this.#remove(key)
    }
  }
}

/** About how many characters a value has as JSON, which is not written for that: a text may have megabytes. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 5
  let length = 2
  for (const [key, member] of Object.entries(value)) {
    length += (Array.isArray(value) ? 1 : key.length + 4) + lengthOf(member)
  }
  return length
}

const keyOf = (owner: string, id: string): string => JSON.stringify([owner, id])
