import type { ServerEvent, StreamDecoder } from '../../conversion.ts'
import type { Part } from '../../exchange.ts'
import { parseExact } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asCount, asObject, asString } from '../../json/json-value.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import { answerFields } from '../answer/decode-response.ts'
import { readResponsesError } from '../answer/read-error.ts'
import { decodeStop, isOpen } from '../answer/stop.ts'
import { readResponsesUsage, searchesIn } from '../answer/usage.ts'
import { ownNative } from '../own-fields.ts'
import { decoderOfOther } from './stream-calls.ts'
import { type ItemDecoder, MessageDecoder, ReasoningDecoder } from './stream-items.ts'

/** The type of the item that an event is about, where the event that adds it did not come. */
const itemTypes: readonly [RegExp, string][] = [
  [/^(?:output_text|refusal|content_part)\./, 'message'],
  [/^reasoning/, 'reasoning'],
  [/^function_call_arguments\./, 'function_call'],
  [/^custom_tool_call_input\./, 'custom_tool_call'],
]

const terminal = new Set(['completed', 'incomplete'])

/**
 * Reads a Responses stream (https://platform.openai.com/docs/api-reference/responses-streaming). Items are
 * told apart by `output_index`: some vendors change an item's id on its way.
 */
class ResponsesDecoder implements StreamDecoder {
  readonly #items = new Map<number, ItemDecoder>()
  /** All that have begun, also where a vendor gives two one place. */
  readonly #all: ItemDecoder[] = []
  readonly #seen = new Set<Part['type']>()
  #blocks = 0
  #last = 0
  #searches = 0
  #hasBegun = false
  #isOver = false

  push({ event, data }: ServerEvent): StreamPart[] {
    if (this.#isOver || data === '' || data === '[DONE]') return []
    const body = asObject(parseExact(data))
    if (!body) return []
    const type = asString(body.type) ?? event ?? ''
    const parts = this.#read(type, body)
    for (const part of parts) this.#note(part)
    return parts
  }

  end(): StreamPart[] {
    // Without its terminal event the answer was cut, and what is open stays so.
    return []
  }

  #read(type: string, body: JsonObject): StreamPart[] {
    if (type === 'error' || type === 'response.failed') return this.#fail(body)
    if (!type.startsWith('response.')) {
      // Gateways before the vendor send errors without a type.
      return asObject(body.error) ? this.#fail(body) : []
    }
    const name = type.slice('response.'.length)
    const response = asObject(body.response)
    if (terminal.has(name)) return [...this.#begin(response), ...this.#finish(response ?? {}, name)]
    if (response) return this.#begin(response)
    const begun = this.#begin(undefined)
    if (name === 'output_item.added') return [...begun, ...this.#added(body)]
    if (name === 'output_item.done') return [...begun, ...this.#done(body)]
    if (name === 'content_part.added' || name === 'content_part.done') {
      const isThought = asObject(body.part)?.type === 'reasoning_text'
      if (isThought) return begun
    }
    const item = this.#items.get(this.#indexOf(body)) ?? this.#unannounced(name, body)
    return item ? [...begun, ...item.event(name, body)] : begun
  }

  #begin(response: JsonObject | undefined): StreamPart[] {
    if (this.#hasBegun) return []
    this.#hasBegun = true
    const tier = asString(response?.service_tier)
    return [
      {
        type: 'response-start',
        id: asString(response?.id) ?? '',
        model: asString(response?.model) ?? '',
        created: asCount(response?.created_at) ?? null,
        ...(tier === undefined ? {} : { serviceTier: tier }),
        ...ownNative(answerFields(response ?? {})),
      },
    ]
  }

  #indexOf(body: JsonObject): number {
    return asCount(body.output_index) ?? this.#last
  }

  #create(index: number, type: string): ItemDecoder {
    const nextBlock = () => this.#blocks++
    let item: ItemDecoder
    if (type === 'message') item = new MessageDecoder(nextBlock)
    else if (type === 'reasoning') item = new ReasoningDecoder(nextBlock)
    else item = decoderOfOther(type, nextBlock)
    this.#items.set(index, item)
    this.#all.push(item)
    this.#last = index
    return item
  }

  /** The item of an event whose beginning was not told. */
  #unannounced(name: string, body: JsonObject): ItemDecoder | null {
    const type = itemTypes.find(([pattern]) => pattern.test(name))?.[1]
    return type === undefined ? null : this.#create(this.#indexOf(body), type)
  }

  #added(body: JsonObject): StreamPart[] {
    const item = asObject(body.item) ?? {}
    const type = asString(item.type) ?? 'message'
    return this.#create(asCount(body.output_index) ?? this.#all.length, type).added(item)
  }

  #done(body: JsonObject): StreamPart[] {
    const item = asObject(body.item) ?? {}
    const type = asString(item.type) ?? 'message'
    const index = this.#indexOf(body)
    // What a search was is known at its end.
    this.#searches += searchesIn([item])
    const known = this.#items.get(index)
    const decoder = known && known.type === type && !known.isDone ? known : null
    return (decoder ?? this.#create(index, type)).done(item)
  }

  #finish(response: JsonObject, name: string): StreamPart[] {
    const output = asArray(response.output)
    const parts: StreamPart[] = []
    const done = this.#all.filter(({ isDone }) => isDone).length
    // Items that were never streamed stand here alone. Vendors that stream all of it may leave the list empty.
    if (done < output.length) {
      output.forEach((value, index) => {
        const item = asObject(value) ?? {}
        const known = this.#items.get(index)
        if (known?.isDone || (known && known.type !== (item.type ?? 'message'))) return
        parts.push(...this.#done({ output_index: index, item }))
      })
    }
    for (const item of this.#all) parts.push(...item.close())
    for (const part of parts) this.#note(part)
    const seen = [...this.#seen].map((type) => ({ type }))
    const usage = readResponsesUsage(response, this.#searches)
    if (usage) parts.push({ type: 'usage', usage })
    const tier = asString(response.service_tier)
    parts.push({
      type: 'stop',
      choice: 0,
      // The event tells, where a vendor leaves the status at what it was before.
      stop: decodeStop({ ...response, ...(isOpen(response) ? { status: name } : {}) }, seen),
      ...ownNative({
        ...answerFields(response),
        ...(tier === undefined ? {} : { service_tier: tier }),
      }),
    })
    this.#isOver = true
    return [...parts, { type: 'response-end' }]
  }

  #fail(body: JsonObject): StreamPart[] {
    this.#isOver = true
    const failure = readResponsesError(body)
    const message = 'The vendor gave the answer up without a reason.'
    return [{ type: 'error', ...(failure ?? { message, status: null, code: null }) }]
  }

  /** The field that tells how the answer ended. */
  #note(part: StreamPart): void {
    if (part.type === 'call-start') this.#seen.add('call')
    else if (part.type === 'refusal-start') this.#seen.add('refusal')
    else if (part.type === 'text-delta') this.#seen.add('text')
  }
}

export const createDecoder = (): StreamDecoder => new ResponsesDecoder()
