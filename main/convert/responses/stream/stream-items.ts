import type { Native, ReasoningState } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString } from '../../json/json-value.ts'
import { readState } from '../../reasoning/reasoning-state.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import { decodeAnnotation } from '../citations.ts'
import { ownNative } from '../own-fields.ts'

/** Numbers the blocks of one answer. */
export type NextBlock = () => number

/** Reads the events of one item of an output. */
export interface ItemDecoder {
  /** The item's own type. */
  readonly type: string
  readonly isDone: boolean
  /** The item as it begins. */
  added(item: JsonObject): StreamPart[]
  /** An event about it; `type` is without `response.`. */
  event(type: string, event: JsonObject): StreamPart[]
  /** The item as it ended: gives what no event told, and ends its blocks. */
  done(item: JsonObject): StreamPart[]
  /** The answer is over: ends what is still open. */
  close(): StreamPart[]
}

const indexOf = (event: JsonObject, name: string): number =>
  typeof event[name] === 'number' ? event[name] : 0

const idOf = (item: JsonObject): JsonObject =>
  typeof item.id === 'string' ? { item_id: item.id } : {}

/** One text or refusal of a message. */
interface Content {
  block: number
  isText: boolean
  hasDelta: boolean
  citations: number
  isEnded: boolean
}

/** Messages: texts, refusals and their annotations. */
export class MessageDecoder implements ItemDecoder {
  readonly type = 'message'
  readonly #nextBlock: NextBlock
  readonly #contents = new Map<number, Content>()
  #native: { native?: Native } = {}
  isDone = false

  constructor(nextBlock: NextBlock) {
    this.#nextBlock = nextBlock
  }

  added(item: JsonObject): StreamPart[] {
    const phase = asString(item.phase)
    this.#native = ownNative({ ...idOf(item), ...(phase === undefined ? {} : { phase }) })
    return []
  }

  event(type: string, event: JsonObject): StreamPart[] {
    const index = indexOf(event, 'content_index')
    switch (type) {
      case 'content_part.added': {
        // A refusal begins with its first word: it may have none, and would be told as one all the same.
        if (asObject(event.part)?.type === 'refusal') return []
        return this.#begin(index, true).parts
      }
      case 'output_text.delta':
        return this.#delta(index, true, asString(event.delta), event.logprobs)
      case 'refusal.delta':
        return this.#delta(index, false, asString(event.delta))
      case 'output_text.annotation.added':
        return this.#cite(index, event.annotation)
      case 'output_text.done':
        return this.#rest(index, true, asString(event.text), event.logprobs)
      case 'refusal.done':
        return this.#rest(index, false, asString(event.refusal))
      case 'content_part.done':
        return this.#endPart(index, asObject(event.part) ?? {})
      default:
        return []
    }
  }

  done(item: JsonObject): StreamPart[] {
    if (this.#contents.size === 0) this.added(item)
    const parts = asArray(item.content).flatMap((part, index) =>
      this.#endPart(index, asObject(part) ?? {}),
    )
    this.isDone = true
    return [...parts, ...this.close()]
  }

  close(): StreamPart[] {
    return [...this.#contents.values()].flatMap((content) => this.#end(content))
  }

  #begin(index: number, isText: boolean): { content: Content; parts: StreamPart[] } {
    const known = this.#contents.get(index)
    if (known) return { content: known, parts: [] }
    const block = this.#nextBlock()
    const content = { block, isText, hasDelta: false, citations: 0, isEnded: false }
    this.#contents.set(index, content)
    const type = isText ? ('text-start' as const) : ('refusal-start' as const)
    return { content, parts: [{ type, block, choice: 0, ...this.#native }] }
  }

  #delta(
    index: number,
    isText: boolean,
    text: string | undefined,
    logprobs?: unknown,
  ): StreamPart[] {
    if (!isText && !text) return []
    const { content, parts } = this.#begin(index, isText)
    if (!text || content.isEnded) return parts
    content.hasDelta = true
    const { block } = content
    if (!content.isText) return [...parts, { type: 'refusal-delta', block, text }]
    const likely = asArray(logprobs)
    const likelihood = likely.length > 0 ? { logprobs: { content: likely } } : {}
    return [...parts, { type: 'text-delta', block, text, ...likelihood }]
  }

  /** The whole text, which is news only where it was not streamed. */
  #rest(
    index: number,
    isText: boolean,
    text: string | undefined,
    logprobs?: unknown,
  ): StreamPart[] {
    if (this.#contents.get(index)?.hasDelta) return []
    return this.#delta(index, isText, text, logprobs)
  }

  #cite(index: number, annotation: unknown): StreamPart[] {
    const { content, parts } = this.#begin(index, true)
    content.citations++
    const citation = decodeAnnotation(annotation)
    if (!citation || content.isEnded) return parts
    return [...parts, { type: 'text-citation', block: content.block, citation }]
  }

  #endPart(index: number, part: JsonObject): StreamPart[] {
    if (part.type !== 'output_text' && part.type !== 'refusal') return []
    const isText = part.type === 'output_text'
    const text = asString(isText ? part.text : part.refusal)
    if (!isText && !text && !this.#contents.has(index)) return []
    const begun = this.#begin(index, isText)
    const untold = asArray(part.annotations).slice(begun.content.citations)
    return [
      ...begun.parts,
      ...this.#rest(index, isText, text, part.logprobs),
      ...untold.flatMap((annotation) => this.#cite(index, annotation)),
      ...this.#end(begun.content),
    ]
  }

  #end(content: Content): StreamPart[] {
    if (content.isEnded) return []
    content.isEnded = true
    return [{ type: content.isText ? 'text-end' : 'refusal-end', block: content.block }]
  }
}

const textsOf = (value: unknown): string[] =>
  asArray(value).map((one) => asString(asObject(one)?.text) ?? '')

/** Thoughts: a summary in sections, or the thoughts themselves; their encrypted state comes last. */
export class ReasoningDecoder implements ItemDecoder {
  readonly type = 'reasoning'
  readonly #nextBlock: NextBlock
  readonly #shown = new Set<number>()
  #id: JsonObject = {}
  #block: number | null = null
  #form: 'summary' | 'raw' = 'summary'
  isDone = false

  constructor(nextBlock: NextBlock) {
    this.#nextBlock = nextBlock
  }

  added(item: JsonObject): StreamPart[] {
    this.#id = idOf(item)
    return []
  }

  event(type: string, event: JsonObject): StreamPart[] {
    switch (type) {
      case 'reasoning_summary_text.delta':
        return this.#delta('summary', indexOf(event, 'summary_index'), asString(event.delta))
      case 'reasoning_summary_text.done':
        return this.#rest('summary', indexOf(event, 'summary_index'), asString(event.text))
      case 'reasoning_text.delta':
        return this.#delta('raw', indexOf(event, 'content_index'), asString(event.delta))
      case 'reasoning_text.done':
        return this.#rest('raw', indexOf(event, 'content_index'), asString(event.text))
      default:
        return []
    }
  }

  done(item: JsonObject): StreamPart[] {
    if (this.#block === null) this.added(item)
    const summary = textsOf(item.summary)
    const raw = textsOf(item.content)
    const likely = summary.length === 0 && raw.length > 0 ? 'raw' : 'summary'
    const form = this.#block === null ? likely : this.#form
    const sections = form === 'raw' ? raw : summary
    const parts = sections.flatMap((text, index) => this.#rest(form, index, text))
    // One without a word counts too: it may hold state, and its item has to go back.
    parts.push(...this.#begin(form))
    const isBoth = this.#form === 'summary' && raw.length > 0
    parts.push({
      type: 'reasoning-end',
      block: this.#block ?? 0,
      ...this.#stateOf(item),
      ...ownNative(isBoth ? { content: item.content } : {}),
    })
    this.isDone = true
    return parts
  }

  close(): StreamPart[] {
    if (this.isDone || this.#block === null) return []
    this.isDone = true
    return [{ type: 'reasoning-end', block: this.#block }]
  }

  #stateOf(item: JsonObject): { state?: ReasoningState } {
    const encrypted = asString(item.encrypted_content)
    if (!encrypted) return {}
    const state = readState(encrypted, 'responses', 'encrypted')
    const id = asString(item.id)
    const isOwn = state.data === encrypted && id !== undefined
    return { state: isOwn ? { ...state, id } : state }
  }

  #begin(form: 'summary' | 'raw'): StreamPart[] {
    if (this.#block !== null) return []
    this.#form = form
    this.#block = this.#nextBlock()
    const native = ownNative(this.#id)
    return [{ type: 'reasoning-start', block: this.#block, choice: 0, form, ...native }]
  }

  #delta(form: 'summary' | 'raw', section: number, text: string | undefined): StreamPart[] {
    if (!text || this.isDone) return []
    const begun = this.#begin(form)
    // Where a vendor sends a thought beside its own summary, the first of the two is read.
    if (this.#form !== form) return []
    this.#shown.add(section)
    return [...begun, { type: 'reasoning-delta', block: this.#block ?? 0, section, text }]
  }

  #rest(form: 'summary' | 'raw', section: number, text: string | undefined): StreamPart[] {
    return this.#shown.has(section) ? [] : this.#delta(form, section, text)
  }
}
