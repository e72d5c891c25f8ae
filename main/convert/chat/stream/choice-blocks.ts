import type { ReasoningState } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import type { StreamPart } from '../../stream/stream-part.ts'

/** Which of the blocks that come one after another is meant: a new key begins a new block. */
export interface BlockKey {
  kind: 'text' | 'refusal' | 'reasoning'
  /** Tells one thought from the next; empty where the vendor does not. */
  key: string
  form: 'summary' | 'raw'
}

const same = (one: BlockKey, other: BlockKey): boolean =>
  one.kind === other.kind && one.key === other.key && one.form === other.form

/** Text, refusal and reasoning of one choice: one block open at a time. */
export class ChoiceBlocks {
  readonly #choice: number
  readonly #nextBlock: () => number
  #open: { key: BlockKey; block: number } | null = null
  #state: ReasoningState | undefined
  #fields: JsonObject | null = null

  constructor(choice: number, nextBlock: () => number) {
    this.#choice = choice
    this.#nextBlock = nextBlock
  }

  /** The open block's number, with the parts that close another and open it; no delta for no text. */
  enter(key: BlockKey): { block: number; parts: StreamPart[] } {
    if (this.#open && same(this.#open.key, key)) return { block: this.#open.block, parts: [] }
    const parts = this.close()
    const block = this.#nextBlock()
    const choice = this.#choice
    this.#open = { key, block }
    if (key.kind === 'reasoning') {
      parts.push({ type: 'reasoning-start', block, choice, form: key.form })
    } else if (key.kind === 'text') parts.push({ type: 'text-start', block, choice })
    else parts.push({ type: 'refusal-start', block, choice })
    return { block, parts }
  }

  text(text: string, logprobs: JsonObject | undefined): StreamPart[] {
    const { block, parts } = this.enter({ kind: 'text', key: '', form: 'raw' })
    const likely = logprobs ? { logprobs } : {}
    return [...parts, { type: 'text-delta', block, text, ...likely }]
  }

  refusal(text: string): StreamPart[] {
    const { block, parts } = this.enter({ kind: 'refusal', key: '', form: 'raw' })
    return [...parts, { type: 'refusal-delta', block, text }]
  }

  reasoning(text: string, key = '', form: BlockKey['form'] = 'raw'): StreamPart[] {
    const { block, parts } = this.enter({ kind: 'reasoning', key, form })
    if (text === '') return parts
    return [...parts, { type: 'reasoning-delta', block, section: 0, text }]
  }

  /** Fields for the end of the open thought: its state, or the entry's own fields. */
  keep(state: ReasoningState | undefined, fields: JsonObject): void {
    if (state) this.#state = state
    this.#fields = { ...this.#fields, ...fields }
  }

  get kept(): JsonObject {
    return this.#fields ?? {}
  }

  close(): StreamPart[] {
    const open = this.#open
    if (!open) return []
    this.#open = null
    const { block, key } = open
    const state = this.#state
    const fields = this.#fields
    this.#state = undefined
    this.#fields = null
    if (key.kind === 'text') return [{ type: 'text-end', block }]
    if (key.kind === 'refusal') return [{ type: 'refusal-end', block }]
    const detail = fields ? { origin: 'chat' as const, fields: { reasoning_detail: fields } } : null
    return [
      {
        type: 'reasoning-end',
        block,
        ...(state ? { state } : detail ? { native: detail } : {}),
      },
    ]
  }
}
