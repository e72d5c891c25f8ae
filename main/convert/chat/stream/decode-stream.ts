import type { ServerEvent, StreamDecoder } from '../../conversion.ts'
import { keepFields } from '../../foreign/kept-fields.ts'
import { parseExact } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asCount, asObject, asString } from '../../json/json-value.ts'
import { RepeatedDelta } from '../../stream/repeated-delta.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import { readAnswerError } from '../answer/answer-error.ts'
import { readChatUsage } from '../answer/usage.ts'
import { ownFields } from '../own-fields.ts'
import { ChoiceDecoder } from './decode-choice.ts'

const known = new Set([
  ...['id', 'object', 'created', 'model', 'choices', 'usage', 'service_tier', 'obfuscation'],
  ...['x_groq', 'error'],
])

/** The strings of a chunk's first choice that its reader takes as words; none beside what is added up. */
function wordsOf({ choices }: JsonObject): unknown[] {
  const delta = asObject(asObject(asArray(choices)[0])?.delta)
  if (!delta || delta.audio || delta.function_call || asArray(delta.tool_calls).length > 0)
    return []
  return [delta.content, delta.reasoning_content, delta.reasoning]
}

class ChatStreamDecoder implements StreamDecoder {
  readonly #choices = new Map<number, ChoiceDecoder>()
  /** Fields of chunks before the first that says something (Azure). */
  #head: JsonObject = {}
  #hasBegun = false
  #isDone = false
  #hasFailed = false
  #blocks = 0
  #seed = ''
  #model: string | null = null
  readonly #repeated = new RepeatedDelta()

  push(event: ServerEvent): StreamPart[] {
    if (this.#isDone || this.#hasFailed) return []
    const repeated = this.#repeated.read(event)
    if (repeated) return [repeated]
    const text = event.data.trim()
    if (text === '') return []
    if (text === '[DONE]') {
      this.#isDone = true
      return this.#hasBegun ? [...this.#close(), { type: 'response-end' }] : []
    }
    const chunk = asObject(parseExact(text))
    const parts = chunk ? this.#pushChunk(chunk) : []
    const isPlain = [...this.#choices.values()].every((choice) => choice.isPlain)
    this.#repeated.learn(event, parts, chunk && isPlain ? wordsOf(chunk) : [])
    return parts
  }

  end(): StreamPart[] {
    if (this.#hasFailed || !this.#hasBegun || this.#isDone) return []
    const choices = [...this.#choices.values()]
    const isWhole = choices.length > 0 && choices.every(({ isFinished }) => isFinished)
    return isWhole ? [...this.#close(), { type: 'response-end' }] : []
  }

  #close(): StreamPart[] {
    return [...this.#choices.values()].flatMap((choice) => choice.close())
  }

  #pushChunk(chunk: JsonObject): StreamPart[] {
    const error = readAnswerError(chunk)
    if (error) {
      this.#hasFailed = true
      return [{ type: 'error', ...error }]
    }
    const choices = asArray(chunk.choices)
    // Some vendors tell of the whole answer at its end.
    if (this.#hasBegun) this.#choices.get(0)?.note(ownFields(chunk, known).native?.fields)
    const parts = this.#begin(chunk, choices.length > 0)
    for (const value of choices) {
      const choice = asObject(value)
      if (choice) parts.push(...this.#choice(asCount(choice.index) ?? 0).push(choice))
    }
    const usage = readChatUsage(chunk)
    if (usage && this.#hasBegun) parts.push({ type: 'usage', usage })
    return parts
  }

  /** Azure's first chunk has no id and no choice, only what its filters say of the prompt. */
  #begin(chunk: JsonObject, hasChoices: boolean): StreamPart[] {
    if (this.#hasBegun) return []
    Object.assign(this.#head, ownFields(chunk, known).native?.fields)
    const id = asString(chunk.id) ?? ''
    if (id === '' && !hasChoices) return []
    this.#hasBegun = true
    const model = asString(chunk.model) ?? ''
    const created = asCount(chunk.created) ?? null
    this.#seed = `${id} ${created ?? ''}`
    this.#model = model === '' ? null : model
    const tier = asString(chunk.service_tier)
    return [
      {
        type: 'response-start',
        id,
        model,
        created,
        ...(tier === undefined ? {} : { serviceTier: tier }),
        ...keepFields('chat', this.#head),
      },
    ]
  }

  #choice(index: number): ChoiceDecoder {
    const choice =
      this.#choices.get(index) ??
      new ChoiceDecoder(index, {
        nextBlock: () => this.#blocks++,
        seed: () => this.#seed,
        model: () => this.#model,
      })
    this.#choices.set(index, choice)
    return choice
  }
}

/**
 * Reads a stream of chat chunks with all that vendors do differently (wire-formats 2.3). A choice's blocks
 * and stop are given out at `[DONE]`, or at the end where a vendor leaves that out: usage, sources and even
 * text have been seen behind a finish reason.
 */
export const createChatDecoder = (): StreamDecoder => new ChatStreamDecoder()
