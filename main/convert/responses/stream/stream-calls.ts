import { isBlank } from '../../errors/is-blank.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asString } from '../../json/json-value.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import { argumentsText } from '../../tools/arguments-text.ts'
import { namelessCall } from '../../tools/nameless-call.ts'
import { ownNative } from '../own-fields.ts'
import { answerCallId, decodeItem } from '../request/decode-item.ts'
import type { ItemDecoder, NextBlock } from './stream-items.ts'

const isCall = (type: string) => type === 'function_call' || type === 'custom_tool_call'

/** Calls of functions and of tools that take free text. */
class CallDecoder implements ItemDecoder {
  readonly type: string
  readonly #nextBlock: NextBlock
  #block: number | null = null
  #hasDelta = false
  /** Arguments that came before the call had a name. */
  #early = ''
  isDone = false

  constructor(type: string, nextBlock: NextBlock) {
    this.type = type
    this.#nextBlock = nextBlock
  }

  added(item: JsonObject): StreamPart[] {
    return this.#beginWith(item, asString(item.call_id) || null)
  }

  #beginWith(item: JsonObject, id: string | null): StreamPart[] {
    const begun = this.#begin(item, id)
    if (begun.length === 0 || this.#early === '') return begun
    const early = this.#early
    this.#early = ''
    return [...begun, ...this.#delta(early)]
  }

  event(type: string, event: JsonObject): StreamPart[] {
    if (type.endsWith('.delta')) return this.#delta(asString(event.delta))
    const whole = argumentsText(event.arguments ?? event.input)
    return type.endsWith('.done') && !this.#hasDelta ? this.#delta(whole) : []
  }

  done(item: JsonObject): StreamPart[] {
    const text = argumentsText(this.type === 'custom_tool_call' ? item.input : item.arguments)
    // No more will come that could tell its id or name.
    const parts = this.#beginWith(item, answerCallId(item) ?? '')
    if (this.#block === null) {
      if (!isBlank([item.call_id, text, this.#early])) throw namelessCall()
      this.isDone = true
      return []
    }
    if (!this.#hasDelta) {
      parts.push(...this.#delta(text))
    }
    return [...parts, ...this.close()]
  }

  close(): StreamPart[] {
    if (this.isDone || this.#block === null) return []
    this.isDone = true
    return [{ type: 'call-end', block: this.#block }]
  }

  /** `id` is null while it may still come, and empty where there is none. */
  #begin(item: JsonObject, id: string | null): StreamPart[] {
    const name = asString(item.name)
    if (this.#block !== null || id === null || !name) return []
    this.#block = this.#nextBlock()
    const namespace = asString(item.namespace)
    return [
      {
        type: 'call-start',
        block: this.#block,
        choice: 0,
        id: id || null,
        name,
        ...(namespace === undefined ? {} : { namespace }),
        kind: this.type === 'custom_tool_call' ? 'freeform' : 'function',
        ...ownNative(typeof item.id === 'string' ? { item_id: item.id } : {}),
      },
    ]
  }

  #delta(text: string | undefined): StreamPart[] {
    if (!text || this.isDone) return []
    this.#hasDelta = true
    if (this.#block !== null) return [{ type: 'call-delta', block: this.#block, text }]
    this.#early += text
    return []
  }
}

/** Items that say nothing before they are whole: what the vendor's tools did, and what is not known. */
class WholeDecoder implements ItemDecoder {
  readonly type: string
  readonly #nextBlock: NextBlock
  isDone = false

  constructor(type: string, nextBlock: NextBlock) {
    this.type = type
    this.#nextBlock = nextBlock
  }

  added(): StreamPart[] {
    return []
  }

  event(): StreamPart[] {
    return []
  }

  done(item: JsonObject): StreamPart[] {
    this.isDone = true
    return decodeItem(item).parts.flatMap((part): StreamPart[] => {
      const block = this.#nextBlock()
      if (part.type === 'hosted' || part.type === 'native') {
        return [{ type: 'whole', block, choice: 0, part }]
      }
      if (part.type !== 'call') return []
      const { id, name, kind, native } = part
      const own = native ? { native } : {}
      return [
        { type: 'call-start', block, choice: 0, id, name, kind, ...own },
        { type: 'call-delta', block, text: part.arguments },
        { type: 'call-end', block },
      ]
    })
  }

  close(): StreamPart[] {
    return []
  }
}

/** The decoder for items of a type that neither speaks nor thinks. */
export const decoderOfOther = (type: string, nextBlock: NextBlock): ItemDecoder =>
  isCall(type) ? new CallDecoder(type, nextBlock) : new WholeDecoder(type, nextBlock)
