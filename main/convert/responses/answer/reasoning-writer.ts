import type { Native, ReasoningState } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { markState } from '../../reasoning/reasoning-state.ts'
import { fieldsBeside, keptFields } from '../own-fields.ts'
import type { Output, OutputItem } from './output.ts'

const notOfItem = new Set(['item_id', 'content', 'status'])

/** State in the one place where clients of this format carry it back: another vendor's in a mark. */
export const encryptedContent = (state: ReasoningState): string =>
  state.origin === 'responses' ? state.data : markState(state)

/** Stands for the absence of state: OpenAI refuses a thought that it did not make, and a mark is found. */
const NO_STATE: ReasoningState = { origin: 'chat', kind: 'signature', data: '', model: null }

/** A thought that is being written: a summary in sections, or the thought itself. */
export class ReasoningWriter {
  readonly #output: Output
  readonly #isSummary: boolean
  readonly #native: Native | undefined
  readonly #sections: JsonObject[] = []
  #item: OutputItem | null = null
  #section = -1
  #text = ''

  constructor(output: Output, form: 'summary' | 'raw', native: Native | undefined) {
    this.#output = output
    this.#isSummary = form === 'summary'
    this.#native = native
    // One of its own vendor's counts even without a word.
    if (keptFields(native).item_id !== undefined) this.#begun()
  }

  delta(section: number, text: string): void {
    const item = this.#begun()
    this.#output.hold(text.length)
    if (section !== this.#section) {
      this.#endSection()
      this.#section = section
      this.#text = ''
      this.#sections.push(this.#part(''))
      this.#tellPart('added', '')
    }
    this.#text += text
    const type = this.#isSummary ? 'reasoning_summary_text.delta' : 'reasoning_text.delta'
    this.#output.tell(type, item, { ...this.#place(), delta: text })
  }

  end(state: ReasoningState | undefined, native: Native | undefined): void {
    // Without words and state there is nothing to tell of.
    if (!this.#item && !state) return
    const item = this.#begun()
    this.#endSection()
    const isForeign = keptFields(this.#native).item_id === undefined
    if (state || isForeign) {
      const encrypted = encryptedContent(state ?? NO_STATE)
      this.#output.hold(encrypted.length)
      item.item.encrypted_content = encrypted
    }
    this.#fill(item, fieldsBeside(keptFields(native), notOfItem))
    this.#output.done(item)
  }

  /** The beginning of a thought that will not end. */
  cut(): void {
    if (!this.#item) return
    if (this.#section >= 0) this.#sections[this.#sections.length - 1] = this.#part(this.#text)
    this.#fill(this.#item, {})
  }

  #fill({ item }: OutputItem, own: JsonObject): void {
    const kept = keptFields(this.#native).content
    const content = this.#isSummary ? kept : this.#sections
    Object.assign(item, {
      summary: this.#isSummary ? this.#sections : [],
      ...(content === undefined ? {} : { content }),
      ...own,
    })
  }

  #begun(): OutputItem {
    this.#item ??= this.#output.add(
      'rs',
      {
        type: 'reasoning',
        summary: [],
        ...(this.#isSummary ? {} : { content: [] }),
        ...fieldsBeside(keptFields(this.#native), notOfItem),
      },
      this.#native,
    )
    return this.#item
  }

  #place(): JsonObject {
    const index = this.#sections.length - 1
    return this.#isSummary ? { summary_index: index } : { content_index: index }
  }

  #part(text: string): JsonObject {
    return { type: this.#isSummary ? 'summary_text' : 'reasoning_text', text }
  }

  #tellPart(event: 'added' | 'done', text: string): void {
    const type = this.#isSummary ? 'reasoning_summary_part' : 'content_part'
    const part = this.#part(text)
    this.#output.tell(`${type}.${event}`, this.#begun(), { ...this.#place(), part })
  }

  #endSection(): void {
    if (this.#section < 0) return
    const type = this.#isSummary ? 'reasoning_summary_text.done' : 'reasoning_text.done'
    this.#output.tell(type, this.#begun(), { ...this.#place(), text: this.#text })
    this.#tellPart('done', this.#text)
    this.#sections[this.#sections.length - 1] = this.#part(this.#text)
  }
}
