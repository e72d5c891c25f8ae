import { estimateTokens } from '../../../base/estimate-tokens.ts'
import { lastError, lastUsage } from '../../chat/stream/stream-end.ts'
import type { AnswerTarget, StreamEncoder } from '../../conversion.ts'
import type { Usage } from '../../exchange.ts'
import { stringifyExact } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import { choiceOf, envelope } from './answer.ts'
import { JoinedTexts } from './joined-texts.ts'

class CompletionsEncoder implements StreamEncoder {
  readonly #target: AnswerTarget
  readonly #wantsUsage: boolean
  readonly #texts = new Map<number, JoinedTexts>()
  /** The choice that each open text belongs to. */
  readonly #choiceOf = new Map<number, number>()
  #envelope: JsonObject
  #usage: Usage | null = null
  #written = 0

  constructor(target: AnswerTarget) {
    this.#target = target
    this.#wantsUsage = target.request.wantsStreamUsage === true
    this.#envelope = envelope(target, undefined)
  }

  push(part: StreamPart): string {
    switch (part.type) {
      case 'response-start':
        this.#envelope = envelope(this.#target, part.native)
        return ''
      case 'text-start':
      case 'refusal-start':
        this.#choiceOf.set(part.block, part.choice)
        this.#textsOf(part.choice).begin(part.native)
        return ''
      case 'reasoning-start':
      case 'call-start':
      case 'whole':
        this.#textsOf(part.choice).part()
        return ''
      case 'text-delta':
      case 'refusal-delta':
        return this.#text(part.block, part.text)
      case 'reasoning-delta':
        this.#written += this.#wantsUsage ? estimateTokens(part.text) : 0
        return ''
      case 'text-end':
      case 'refusal-end':
        this.#choiceOf.delete(part.block)
        return ''
      case 'stop':
        return this.#chunk([choiceOf(part.choice, '', part.stop)])
      case 'usage':
        this.#usage = part.usage
        return ''
      case 'response-end':
        return `${this.#wantsUsage ? this.#usageChunk() : ''}data: [DONE]\n\n`
      case 'error':
        return lastError(part, this.#target)
      default:
        return ''
    }
  }

  #textsOf(choice: number): JoinedTexts {
    const known = this.#texts.get(choice)
    if (known) return known
    const texts = new JoinedTexts()
    this.#texts.set(choice, texts)
    return texts
  }

  #text(block: number, delta: string): string {
    const choice = this.#choiceOf.get(block) ?? 0
    const text = this.#textsOf(choice).add(delta)
    if (text === '') return ''
    if (this.#wantsUsage) this.#written += estimateTokens(text)
    return this.#chunk([choiceOf(choice, text, null)])
  }

  /** As OpenAI does it: `usage` is null in every chunk but the last where it was asked for, else missing. */
  #chunk(choices: JsonObject[], usage: JsonObject | null = null): string {
    const withUsage = this.#wantsUsage ? { usage } : {}
    return `data: ${stringifyExact({ ...this.#envelope, choices, ...withUsage })}\n\n`
  }

  #usageChunk(): string {
    return this.#chunk([], lastUsage(this.#usage, this.#target, this.#written))
  }
}

/**
 * Writes a stream of completion chunks, each the same object as a whole answer: text as it comes, the finish
 * reason in a chunk without text, usage only for a client that asked for it, then `[DONE]`, which an error
 * does not get. Thoughts are left out.
 */
export const createCompletionsEncoder = (target: AnswerTarget): StreamEncoder =>
  new CompletionsEncoder(target)
