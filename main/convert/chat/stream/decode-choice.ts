import { ownValue } from '../../../base/own-value.ts'
import type { MediaPart, NativePart } from '../../exchange.ts'
import { keepFields } from '../../foreign/kept-fields.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString, wordOf } from '../../json/json-value.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import { decodeAnnotation } from '../answer/citations.ts'
import { decodeAnswerContent } from '../answer/decode-answer-content.ts'
import { soundOf } from '../answer/decode-sound.ts'
import { decodeFinishReason } from '../answer/finish-reason.ts'
import { knownOfMessage } from '../answer/known-of-message.ts'
import { LeadingThought, type ToldApart } from '../leading-thought.ts'
import { ownFields } from '../own-fields.ts'
import { detailText, entriesOf, readDetail, stateOfFields } from '../reasoning-details.ts'
import { CallFragments } from './call-fragments.ts'
import { ChoiceBlocks } from './choice-blocks.ts'

const known = new Set(['index', 'delta', 'message', 'finish_reason', 'logprobs', 'error'])

/** Events that a stream passes to each of its choices. */
export interface ChoiceContext {
  nextBlock(): number
  seed(): string
  model(): string | null
}

/** Reads the deltas of one choice. What ends it is given out by `close`, because vendors add to it late. */
export class ChoiceDecoder {
  readonly #index: number
  readonly #context: ChoiceContext
  readonly #blocks: ChoiceBlocks
  readonly #calls: CallFragments
  readonly #leading = new LeadingThought()
  #finish: string | null = null
  #note: JsonObject | undefined
  #native: JsonObject = {}
  /** Its message's fields beside the known ones. */
  #message: JsonObject = {}
  #sound: JsonObject | null = null
  #isClosed = false

  constructor(index: number, context: ChoiceContext) {
    this.#index = index
    this.#context = context
    this.#blocks = new ChoiceBlocks(index, context.nextBlock)
    this.#calls = new CallFragments({ ...context, choice: index })
  }

  get isFinished(): boolean {
    return this.#finish !== null
  }

  /** Does a text go on as it comes, so that the next one may be read at a glance? */
  get isPlain(): boolean {
    return this.#leading.isOver
  }

  push(choice: JsonObject): StreamPart[] {
    const delta = asObject(choice.delta) ?? asObject(choice.message) ?? {}
    const parts = [
      ...this.#pushReasoning(delta),
      ...this.#pushContent(delta.content, asObject(choice.logprobs)),
    ]
    const refusal = asString(delta.refusal)
    if (refusal) parts.push(...this.#before(), ...this.#blocks.refusal(refusal))
    for (const annotation of asArray(delta.annotations)) parts.push(...this.#cite(annotation))
    parts.push(...this.#pushCalls(delta))
    if (delta.images !== undefined) parts.push(...this.#pushImages(delta.images))
    const sound = asObject(delta.audio)
    if (sound) this.#addSound(sound)
    const finish = asString(choice.finish_reason)
    if (finish) this.#finish = finish
    this.#note ??= asObject(choice.error)
    Object.assign(this.#native, ownFields(choice, known).native?.fields)
    this.note(ownFields(delta, knownOfMessage).native?.fields)
    return parts
  }

  /** Keeps fields that the exchange has no word for, to be told with the end. */
  note(fields: JsonObject | undefined): void {
    if (fields) Object.assign(this.#message, fields)
  }

  /** Ends every block, then the choice. */
  close(): StreamPart[] {
    if (this.#isClosed) return []
    this.#isClosed = true
    const held = this.#tell(this.#leading.end(), undefined)
    const parts = [...held, ...this.#blocks.close(), ...this.#calls.endAll()]
    if (asString(this.#sound?.data)) parts.push(this.#whole(soundOf(this.#sound ?? {})))
    const hasMessage = Object.keys(this.#message).length > 0
    const fields = { ...this.#native, ...(hasMessage ? { message: this.#message } : {}) }
    return [
      ...parts,
      {
        type: 'stop',
        choice: this.#index,
        stop: decodeFinishReason(this.#finish ?? 'stop', this.#note),
        ...keepFields('chat', fields),
      },
    ]
  }

  /** Before anything but a call: calls that are whole need not wait for the end. */
  #before(): StreamPart[] {
    return this.#calls.endWhole()
  }

  #whole(part: MediaPart | NativePart): StreamPart {
    return { type: 'whole', block: this.#context.nextBlock(), choice: this.#index, part }
  }

  #pushReasoning(delta: JsonObject): StreamPart[] {
    const details = entriesOf(delta.reasoning_details)
    const plain = asString(delta.reasoning_content) || asString(delta.reasoning) || ''
    const parts: StreamPart[] = []
    // The same text stands in both, where both have one.
    const isTold = details.some((entry) => readDetail(entry).text !== '')
    if (plain !== '' && !isTold) parts.push(...this.#before(), ...this.#blocks.reasoning(plain))
    for (const entry of details) parts.push(...this.#pushDetail(entry))
    if (parts.length > 0) this.#leading.skip()
    return parts
  }

  #pushDetail(entry: JsonObject): StreamPart[] {
    const model = this.#context.model()
    const { text, form, state, rest } = readDetail(entry, model)
    const type = wordOf(entry.type)
    if (ownValue(detailText, type) === undefined || state?.kind === 'encrypted') {
      const parts = [...this.#before(), ...this.#blocks.close()]
      parts.push(...this.#blocks.reasoning('', `${type} ${entry.id ?? ''}`))
      this.#blocks.keep(state, rest)
      return [...parts, ...this.#blocks.close()]
    }
    const key = `${type} ${entry.index ?? ''}`
    const parts = [...this.#before(), ...this.#blocks.reasoning(text, key, form)]
    const whole = { ...this.#blocks.kept, ...rest }
    this.#blocks.keep(state ? stateOfFields(whole, 'signature', model) : undefined, rest)
    return parts
  }

  #pushContent(content: unknown, logprobs: JsonObject | undefined): StreamPart[] {
    if (typeof content === 'string') {
      // They belong to just these characters.
      if (logprobs) this.#leading.skip()
      return content === '' ? [] : this.#tell(this.#leading.push(content), logprobs)
    }
    return decodeAnswerContent(content).flatMap((part): StreamPart[] => {
      switch (part.type) {
        case 'text':
          return [...this.#before(), ...this.#blocks.text(part.text, logprobs)]
        case 'reasoning':
          return [...this.#before(), ...this.#blocks.reasoning(part.sections.join(''))]
        case 'refusal':
          return [...this.#before(), ...this.#blocks.refusal(part.text)]
        default:
          return [...this.#before(), ...this.#blocks.close(), this.#whole(part)]
      }
    })
  }

  #tell({ thought, text }: ToldApart, logprobs: JsonObject | undefined): StreamPart[] {
    const thinking = thought === '' ? [] : [...this.#before(), ...this.#blocks.reasoning(thought)]
    if (text === '') return thinking
    return [...thinking, ...this.#before(), ...this.#blocks.text(text, logprobs)]
  }

  #cite(annotation: unknown): StreamPart[] {
    const citation = decodeAnnotation(annotation)
    if (!citation) return []
    const before = this.#before()
    const { block, parts } = this.#blocks.enter({ kind: 'text', key: '', form: 'raw' })
    return [...before, ...parts, { type: 'text-citation', block, citation }]
  }

  #pushCalls(delta: JsonObject): StreamPart[] {
    const calls = asArray(delta.tool_calls).map(asObject)
    // The deprecated form: one call, without index and id.
    const old = asObject(delta.function_call)
    if (old) calls.push({ index: 0, function: old })
    const held = calls.length > 0 ? this.#tell(this.#leading.end(), undefined) : []
    const begun = calls.flatMap((call) => {
      if (!call) return []
      const parts = this.#calls.push(call)
      return parts.length > 0 ? [...this.#blocks.close(), ...parts] : []
    })
    return [...held, ...begun]
  }

  #pushImages(images: unknown): StreamPart[] {
    const media = decodeAnswerContent(images).filter((part) => part.type === 'media')
    return media.flatMap((part) => [...this.#before(), ...this.#blocks.close(), this.#whole(part)])
  }

  /** Sound comes in pieces of base64, each whole in itself. */
  #addSound(piece: JsonObject): void {
    const sound = this.#sound ?? {}
    for (const [name, value] of Object.entries(piece)) {
      if (typeof value === 'string' && (name === 'data' || name === 'transcript')) {
        sound[name] = `${sound[name] ?? ''}${value}`
      } else sound[name] = value
    }
    this.#sound = sound
  }
}
