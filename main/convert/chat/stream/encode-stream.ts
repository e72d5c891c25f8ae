import { estimateTokens } from '../../../base/estimate-tokens.ts'
import type { AnswerTarget, StreamEncoder } from '../../conversion.ts'
import type { Usage } from '../../exchange.ts'
import { stringifyExact } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import { envelope, thoughtNames, tierFields } from '../answer/answer-envelope.ts'
import { keptFields } from '../own-fields.ts'
import { type ChunkChoice, StreamChoice } from './stream-choice.ts'
import { lastError, lastUsage } from './stream-end.ts'

type Head = Extract<StreamPart, { type: 'response-start' }>

class ChatStreamEncoder implements StreamEncoder {
  readonly #target: AnswerTarget
  readonly #choices = new Map<number, StreamChoice>()
  /** The choice that each open block belongs to. */
  readonly #choiceOf = new Map<number, number>()
  readonly #wantsUsage: boolean
  readonly #envelope: JsonObject
  /** Fields that a vendor of this format sends once, in its first chunk; null once that is written. */
  #first: JsonObject | null = {}
  /** A further chunk's JSON up to its choice. */
  #head: string | null = null
  #holdsCalls = false
  #usage: Usage | null = null
  #written = 0

  constructor(target: AnswerTarget) {
    this.#target = target
    this.#wantsUsage = target.request.wantsStreamUsage === true
    this.#envelope = envelope(target, 'chat.completion.chunk')
  }

  push(part: StreamPart): string {
    switch (part.type) {
      case 'response-start':
        return this.#begin(part)
      case 'usage':
        this.#usage = part.usage
        return ''
      case 'stop':
        return this.#write(part.choice, (choice) => choice.stop(part))
      case 'response-end':
        return `${this.#wantsUsage ? this.#usageChunk() : ''}data: [DONE]\n\n`
      case 'error':
        return lastError(part, this.#target)
      case 'text-start':
      case 'refusal-start':
      case 'reasoning-start':
      case 'call-start':
        this.#choiceOf.set(part.block, part.choice)
        return this.#write(part.choice, (choice) => this.#start(choice, part))
      case 'whole':
        return this.#write(part.choice, (choice) => choice.whole(part))
      default:
        return this.#inside(part)
    }
  }

  #begin(part: Head): string {
    const { system_fingerprint: fingerprint, ...first } = keptFields(part.native)
    Object.assign(this.#envelope, tierFields(part.serviceTier))
    if (fingerprint !== undefined) this.#envelope.system_fingerprint = fingerprint
    this.#first = first
    this.#holdsCalls = part.native?.origin === 'generate-content' || /gemini/i.test(part.model)
    return this.#write(0, () => [])
  }

  #start(choice: StreamChoice, part: StreamPart): ChunkChoice[] {
    if (part.type === 'text-start') return choice.startText(part)
    if (part.type === 'reasoning-start') return choice.startReasoning(part.block)
    return part.type === 'call-start' ? choice.startCall(part) : []
  }

  #inside(
    part: Extract<StreamPart, { type: `${string}-delta` | `${string}-end` | 'text-citation' }>,
  ): string {
    if (part.type === 'response-end') return ''
    const index = this.#choiceOf.get(part.block) ?? 0
    if (part.type.endsWith('-end')) this.#choiceOf.delete(part.block)
    return this.#write(index, (choice) => {
      switch (part.type) {
        case 'text-delta':
          this.#count(part.text)
          return choice.text(part)
        case 'text-citation':
          return choice.cite(part)
        case 'text-end':
          return choice.endText(part)
        case 'refusal-delta':
          this.#count(part.text)
          return choice.refusal(part)
        case 'refusal-end':
          return []
        case 'reasoning-delta':
          this.#count(part.text)
          return choice.reasoning(part)
        case 'reasoning-end':
          return choice.endReasoning(part)
        case 'call-delta':
          this.#count(part.text)
          return choice.call(part)
        default:
          return choice.endCall(part)
      }
    })
  }

  #count(text: string): void {
    if (this.#wantsUsage) this.#written += estimateTokens(text)
  }

  /** The choice's chunks, its role first. */
  #write(index: number, encode: (choice: StreamChoice) => ChunkChoice[]): string {
    let text = ''
    let choice = this.#choices.get(index)
    if (!choice) {
      const names = thoughtNames(this.#target.request)
      choice = new StreamChoice(this.#target, index, names, this.#holdsCalls)
      this.#choices.set(index, choice)
      text = this.#chunk(index, { delta: { role: 'assistant', content: '' } })
    }
    for (const one of encode(choice)) text += this.#chunk(index, one)
    return text
  }

  #chunk(index: number, { delta, logprobs = null, finish, rest }: ChunkChoice): string {
    const choice = { ...rest, index, delta, logprobs, finish_reason: finish ?? null }
    const usage = this.#wantsUsage ? { usage: null } : {}
    const first = this.#first
    if (first) {
      this.#first = null
      return this.#data({ ...this.#envelope, ...first, choices: [choice], ...usage })
    }
    // All but the choice is the same in each chunk.
    this.#head ??= stringifyExact({ ...this.#envelope, choices: [] }).slice(0, -2)
    return `data: ${this.#head}${stringifyExact(choice)}]${this.#wantsUsage ? ',"usage":null' : ''}}\n\n`
  }

  #usageChunk(): string {
    const usage = lastUsage(this.#usage, this.#target, this.#written)
    return this.#data({ ...this.#envelope, choices: [], usage })
  }

  #data(value: JsonObject): string {
    return `data: ${stringifyExact(value)}\n\n`
  }
}

/**
 * Writes a stream of chat chunks: role first, one finish chunk a choice, usage only for a client that asked
 * for it, then `[DONE]`, which an error does not get (wire-formats 1.6, 2.3).
 */
export const createChatEncoder = (target: AnswerTarget): StreamEncoder =>
  new ChatStreamEncoder(target)
