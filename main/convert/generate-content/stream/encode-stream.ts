import type { AnswerTarget, StreamEncoder } from '../../conversion.ts'
import { upstreamError } from '../../errors/upstream-error.ts'
import type { Usage } from '../../exchange.ts'
import type { Stop } from '../../exchange-response.ts'
import { stringifyExact } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asObject } from '../../json/json-value.ts'
import type { StreamPart } from '../../stream/stream-part.ts'
import { showsThoughts } from '../answer/encode-response.ts'
import { encodeFinish } from '../answer/finish-reason.ts'
import { encodeTier, encodeUsage } from '../answer/usage-metadata.ts'
import { encodeGenerateContentStreamError } from '../error.ts'
import { FORMAT } from '../wire-fields.ts'
import { ChoiceEncoder } from './encode-choice.ts'

/** How a stream is framed: as server-sent events, or as one JSON array sent in pieces. */
type Frame = 'events' | 'array'

/** The last that is told of one answer. */
interface Ending {
  stop: Stop
  native: JsonObject | undefined
}

/**
 * Writes a stream of GenerateContentResponse. Text is sent as it comes, a call when it is whole: no chunk
 * holds half a JSON value. The last chunk has the finish reasons and the usage.
 */
class GenerateContentEncoder implements StreamEncoder {
  readonly #target: AnswerTarget
  readonly #frame: Frame
  readonly #choices = new Map<number, ChoiceEncoder>()
  readonly #choiceOfBlock = new Map<number, ChoiceEncoder>()
  readonly #endings = new Map<number, Ending>()
  #isFirst = true
  #usage: Usage | undefined
  #tier: string | undefined
  #promptFeedback: unknown

  constructor(target: AnswerTarget, frame: Frame) {
    this.#target = target
    this.#frame = frame
  }

  push(part: StreamPart): string {
    switch (part.type) {
      case 'response-start':
        this.#tier = part.serviceTier
        if (part.native?.origin === FORMAT) this.#promptFeedback = part.native.fields.promptFeedback
        return ''
      case 'usage':
        this.#usage = part.usage
        return ''
      case 'stop':
        return this.#stop(part)
      case 'response-end':
        return this.#end()
      case 'error':
        return this.#error(part)
      default:
        return this.#content(part)
    }
  }

  #choice(index: number): ChoiceEncoder {
    const known = this.#choices.get(index)
    if (known) return known
    const made = new ChoiceEncoder(showsThoughts(this.#target))
    this.#choices.set(index, made)
    return made
  }

  #content(
    part: Exclude<
      StreamPart,
      { type: 'response-start' | 'usage' | 'stop' | 'response-end' | 'error' }
    >,
  ): string {
    if ('choice' in part) this.#choiceOfBlock.set(part.block, this.#choice(part.choice))
    const choice = this.#choiceOfBlock.get(part.block)
    if (!choice) return ''
    const { parts, logprobs } = choice.push(part)
    const index = [...this.#choices].find(([, one]) => one === choice)?.[0] ?? 0
    return this.#candidateChunk(index, parts, logprobs)
  }

  #candidateChunk(index: number, parts: readonly JsonObject[], more: JsonObject = {}): string {
    if (parts.length === 0) return ''
    return this.#write({
      candidates: [{ content: { parts, role: 'model' }, index, ...more }],
      ...this.#usageField(),
    })
  }

  #stop({ choice, stop, native }: StreamPart & { type: 'stop' }): string {
    const fields = native?.origin === FORMAT ? native.fields : undefined
    this.#endings.set(choice, { stop, native: fields })
    // Calls that could not be read wait for the reason: only a cut one is mended.
    return this.#candidateChunk(choice, this.#choice(choice).heldCalls(stop.reason === 'length'))
  }

  #end(): string {
    const feedback = asObject(this.#promptFeedback)
    if (feedback?.blockReason !== undefined && this.#choiceOfBlock.size === 0) {
      return this.#close({ promptFeedback: feedback, ...this.#usageField() })
    }
    const indexes = this.#endings.size > 0 ? [...this.#endings.keys()] : [0]
    const candidates = indexes
      .sort((one, other) => one - other)
      .map((index) => {
        const { stop, native } = this.#endings.get(index) ?? { stop: { reason: 'end' as const } }
        const { parts, grounding } = this.#choice(index).last()
        const { explanation } = stop
        return {
          content: { parts, role: 'model' },
          finishReason: encodeFinish(stop),
          index,
          ...grounding,
          ...native,
          ...(explanation === undefined ? {} : { finishMessage: explanation }),
        }
      })
    return this.#close({ candidates, ...this.#usageField() })
  }

  #usageField(): JsonObject {
    if (!this.#usage) return {}
    return { usageMetadata: { ...encodeUsage(this.#usage), ...encodeTier(this.#tier) } }
  }

  #error(error: StreamPart & { type: 'error' }): string {
    const place = this.#frame === 'events' ? 'event' : this.#isFirst ? 'first-item' : 'next-item'
    return encodeGenerateContentStreamError(upstreamError(error), this.#target.id, place)
  }

  #write(chunk: JsonObject): string {
    const { model, id } = this.#target
    const json = stringifyExact({ ...chunk, modelVersion: model, responseId: id })
    const before = this.#isFirst ? '[' : ',\n'
    this.#isFirst = false
    return this.#frame === 'events' ? `data: ${json}\n\n` : before + json
  }

  #close(chunk: JsonObject): string {
    const text = this.#write(chunk)
    return this.#frame === 'events' ? text : `${text}]`
  }
}

/**
 * Writes one answer of streamGenerateContent: with `alt=sse` as `data:` lines without names or a last event,
 * else as one JSON array, an item at a time, closed by the last chunk or by an error.
 */
export const createEncoder = (target: AnswerTarget): StreamEncoder =>
  new GenerateContentEncoder(target, target.asArray === true ? 'array' : 'events')
