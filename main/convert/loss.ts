import type { BodyRule } from '../base/sentences/body-rules.ts'
import {
  type LossNote,
  type LossReason,
  lossReason,
  lossText,
} from '../base/sentences/loss-notes.ts'
import { refuse } from './check/check-request.ts'
import type { Native, RequestField, WireFormat } from './exchange.ts'

/** One thing that a conversion left out, or put into other words. */
export interface LossEntry {
  /** Where it stands in the client's body: `messages[2].content[0]`, `seed`. */
  path: string
  kind: 'dropped' | 'approximated'
  /** In English. */
  note: string
  /** The same by code; none where it holds too much text, and in older rows of the log. */
  reason?: LossReason
}

const MOST_ENTRIES = 200
const LONGEST_NOTE = 160
/** Characters of JSON: room for the values of the longest notes. */
const LONGEST_REASON = 1000
const LONGEST_PATH = 200
const LONGEST_HEADER = 2000
/** Kept free for the count at the header's end. */
const COUNT_ROOM = 24

/** Codex sends it with every item: noted once, not for each. */
const onEveryItem: ReadonlySet<string> = new Set(['internal_chat_message_metadata_passthrough'])

/** Fields whose loss has words of its own: Claude Code's billing block is kept by its place. */
const notesOfFields: ReadonlyMap<string, LossNote> = new Map([['system[0]', 'claude_code_note']])

const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length - 3)}...`

/** Paths hold a client's own key names; a header may hold printable ASCII, and `;` parts its entries. */
const headerText = (path: string) => path.replace(/[^\x20-\x7e]|[;,]/g, '?')

/**
 * Losses of one conversion, by JSON path in the client's body. Bounded: after 200 entries more
 * are only counted.
 */
export class Loss {
  readonly #fieldNames: Readonly<Partial<Record<RequestField, string>>>
  readonly #entries: LossEntry[] = []
  readonly #seen = new Set<string>()
  #uncounted = 0

  /** `fieldNames` are the client format's own spellings, as its codec tells them. */
  constructor(fieldNames: Readonly<Partial<Record<RequestField, string>>> = {}) {
    this.#fieldNames = fieldNames
  }

  /** How the client's format spells a field of the request. */
  field(name: RequestField): string {
    return this.#fieldNames[name] ?? name
  }

  /** Notes that what stands at `path` is left out. */
  drop(path: string, note: LossNote): void {
    this.#add(path, 'dropped', note)
  }

  /** Notes that what stands at `path` goes on in another form. */
  approximate(path: string, note: LossNote): void {
    this.#add(path, 'approximated', note)
  }

  /** Throws `invalid_request` for what cannot go on in any form. */
  refuse(path: string, rule: BodyRule): never {
    return refuse(path, rule)
  }

  /**
   * The fields that go back into an object of `format`. Those of another format mean nothing there: each is
   * noted as dropped. `at` is the node's own path; without it the fields stand at the top.
   */
  native(native: Native | undefined, format: WireFormat, at?: string): Record<string, unknown> {
    if (!native) return {}
    if (native.origin === format) return native.fields
    for (const name of Object.keys(native.fields)) {
      const path = at === undefined || onEveryItem.has(name) ? name : `${at}.${name}`
      this.drop(path, notesOfFields.get(name) ?? 'upstream_without_field')
    }
    return {}
  }

  /** How many there were beyond those that are kept. */
  get uncounted(): number {
    return this.#uncounted
  }

  /** Takes over what another has noted of the same conversion. */
  adopt(entries: readonly LossEntry[], uncounted: number): void {
    for (const entry of entries) this.#keep(entry.path, entry.kind, () => entry)
    this.#uncounted += uncounted
  }

  /** Each path and kind once, in the order in which they were noted. */
  get entries(): readonly LossEntry[] {
    return this.#entries
  }

  /**
   * The value of `x-switchyard-loss`: `dropped seed; approximated messages[2]; 12 more`. Printable ASCII,
   * at most 2000 characters, empty when nothing was lost.
   */
  header(): string {
    let text = ''
    let written = 0
    for (const { kind, path } of this.#entries) {
      const next = `${written > 0 ? '; ' : ''}${kind} ${headerText(path)}`
      if (text.length + next.length > LONGEST_HEADER - COUNT_ROOM) break
      text += next
      written++
    }
    const more = this.#entries.length - written + this.#uncounted
    if (more === 0) return text
    return `${text}${written > 0 ? '; ' : ''}${more} more`
  }

  #add(path: string, kind: LossEntry['kind'], given: LossNote): void {
    this.#keep(path, kind, (shortPath) => {
      const reason = lossReason(given)
      const isShort = typeof given === 'string' || JSON.stringify(reason).length <= LONGEST_REASON
      const note = cut(lossText(given), LONGEST_NOTE)
      return { path: shortPath, kind, note, ...(isShort && { reason }) }
    })
  }

  #keep(path: string, kind: LossEntry['kind'], entryAt: (path: string) => LossEntry): void {
    const shortPath = cut(path, LONGEST_PATH)
    const key = `${kind} ${shortPath}`
    if (this.#seen.has(key)) return
    if (this.#entries.length >= MOST_ENTRIES) {
      this.#uncounted++
      return
    }
    this.#seen.add(key)
    this.#entries.push(entryAt(shortPath))
  }
}
