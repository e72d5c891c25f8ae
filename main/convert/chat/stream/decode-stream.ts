import type { ServerEvent, StreamDecoder } from '../../conversion.ts'
import { wrongAnswer } from '../../errors/wrong-answer.ts'
import type { Usage } from '../../exchange.ts'
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
  /** Fields of chunks up to the first with a choice: Azure's filters speak before it. */
  #head: JsonObject | null = null
  #usage: Usage | null = null
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
      if (this.#head && !this.#hasBegun) throw wrongAnswer('answer_no_choices')
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
    const parts = this.#hasBegun ? [] : this.#begin(chunk, choices.length > 0)
    for (const value of choices) {
      const choice = asObject(value)
      if (choice) parts.push(...this.#choice(asCount(choice.index) ?? 0).push(choice))
    }
    this.#usage = readChatUsage(chunk) ?? this.#usage
    if (!this.#usage || !this.#hasBegun) return parts
    parts.push({ type: 'usage', usage: this.#usage })
    this.#usage = null
    return parts
  }

  /** An answer begins with its first choice: until then another channel can be tried. */
  #begin(chunk: JsonObject, hasChoices: boolean): StreamPart[] {
    const head: JsonObject = Object.assign(this.#head ?? {}, chunk)
    this.#head = head
    if (!hasChoices) return []
    this.#hasBegun = true
    const id = asString(head.id) ?? ''
    const model = asString(head.model) ?? ''
    const created = asCount(head.created) ?? null
    this.#seed = `${id} ${created ?? ''}`
    this.#model = model === '' ? null : model
    const tier = asString(head.service_tier)
    return [
      {
        type: 'response-start',
        id,
        model,
        created,
        ...(tier === undefined ? {} : { serviceTier: tier }),
        ...ownFields(head, known),
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
