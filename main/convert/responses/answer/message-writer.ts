import type { Citation, Native } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject } from '../../json/json-value.ts'
import { encodeAnnotation } from '../citations.ts'
import { fieldsBeside, keptFields } from '../own-fields.ts'
import type { Output, OutputItem } from './output.ts'

const notOfMessage = new Set(['item_id', 'logprobs', 'content', 'status'])

/** One text or refusal of a message that is being written. */
export class ContentWriter {
  readonly #message: MessageWriter
  readonly #output: Output
  readonly #index: number
  readonly #annotations: JsonObject[] = []
  readonly #isText: boolean
  #logprobs: unknown[] = []
  #text = ''
  readonly part: JsonObject

  constructor(message: MessageWriter, output: Output, index: number, isText: boolean) {
    this.#message = message
    this.#output = output
    this.#index = index
    this.#isText = isText
    this.part = isText
      ? { type: 'output_text', annotations: this.#annotations, logprobs: [], text: '' }
      : { type: 'refusal', refusal: '' }
    this.#tell('content_part.added', { part: this.part })
  }

  delta(text: string, logprobs?: unknown): void {
    const likely = asArray(asObject(logprobs)?.content)
    this.#text += text
    this.#output.hold(text.length)
    if (!this.#isText) {
      this.#tell('refusal.delta', { delta: text })
      return
    }
    this.#logprobs.push(...likely)
    this.#tell('output_text.delta', { delta: text, logprobs: likely })
  }

  cite(citation: Citation): void {
    const annotation = encodeAnnotation(citation, this.#text.length)
    if (!annotation) return
    const index = this.#annotations.push(annotation) - 1
    this.#tell('output_text.annotation.added', { annotation_index: index, annotation })
  }

  end(): void {
    if (this.#isText) {
      Object.assign(this.part, { text: this.#text, logprobs: this.#logprobs })
      this.#tell('output_text.done', { text: this.#text, logprobs: this.#logprobs })
    } else {
      this.part.refusal = this.#text
      this.#tell('refusal.done', { refusal: this.#text })
    }
    this.#tell('content_part.done', { part: this.part })
    this.#message.partEnded()
  }

  /** The beginning of a part that will not end. */
  cut(): void {
    this.part[this.#isText ? 'text' : 'refusal'] = this.#text
  }

  #tell(type: string, fields: JsonObject): void {
    this.#output.tell(type, this.#message.item, { content_index: this.#index, ...fields })
  }
}

/** A message that is being written. It is done when another item has begun, or the answer ends. */
export class MessageWriter {
  readonly item: OutputItem
  readonly #output: Output
  readonly #content: JsonObject[] = []
  readonly #id: unknown
  #open = 0
  #isLast = true
  isDone = false

  constructor(output: Output, native: Native | undefined) {
    this.#output = output
    const kept = keptFields(native)
    this.#id = kept.item_id
    const rest = fieldsBeside(kept, notOfMessage)
    const fields = { type: 'message', status: 'in_progress', role: 'assistant' }
    this.item = output.add('msg', { ...fields, ...rest, content: [] }, native)
  }

  /** Does a part belong to this message, as far as its vendor says? */
  takes(native: Native | undefined): boolean {
    return !this.isDone && this.#isLast && keptFields(native).item_id === this.#id
  }

  begin(isText: boolean): ContentWriter {
    const writer = new ContentWriter(this, this.#output, this.#content.length, isText)
    // Not before the event that adds the part has gone out.
    this.#content.push(writer.part)
    this.#open++
    return writer
  }

  partEnded(): void {
    this.#open--
    if (!this.#isLast) this.finish('completed')
  }

  /** Another item has begun. */
  leave(): void {
    this.#isLast = false
    this.finish('completed')
  }

  /** Says that the message is done, once all its parts are. */
  finish(status: string): void {
    if (this.isDone || this.#open > 0) return
    this.isDone = true
    this.fill(status)
    this.#output.done(this.item)
  }

  /** Puts what there is into the item. */
  fill(status: string): void {
    Object.assign(this.item.item, { status, content: this.#content })
  }
}
