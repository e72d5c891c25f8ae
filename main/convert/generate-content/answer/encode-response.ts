import type { AnswerTarget } from '../../conversion.ts'
import { estimateOutput } from '../../estimate/estimate-output.ts'
import type {
  HostedPart,
  MediaPart,
  NativePart,
  Part,
  ReasoningState,
  Usage,
} from '../../exchange.ts'
import type { Choice, ExchangeResponse } from '../../exchange-response.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asObject } from '../../json/json-value.ts'
import { GAP, withGaps } from '../../stream/dropped-gap.ts'
import { FORMAT, keptFields } from '../wire-fields.ts'
import {
  encodeAnswerCall,
  encodeAnswerMedia,
  signatureOf,
  stateAlone,
  withThoughts,
} from './encode-answer-parts.ts'
import { encodeFinish } from './finish-reason.ts'
import { type CitedText, encodeGrounding } from './grounding.ts'
import { encodeLogprobs } from './logprobs-result.ts'
import { encodeTier, encodeUsage } from './usage-metadata.ts'

/**
 * The parts of one answer. The state of another vendor's thoughts goes on the text or call behind them:
 * clients give these back, but some leave thoughts out.
 */
class AnswerParts {
  readonly wires: JsonObject[] = []
  readonly cited: CitedText[] = []
  readonly hosted: HostedPart[] = []
  readonly #showsThoughts: boolean
  readonly #wasCut: boolean
  #pending: ReasoningState | undefined
  #isBehindThought = false

  constructor(choice: Choice, showsThoughts: boolean) {
    this.#showsThoughts = showsThoughts
    this.#wasCut = choice.stop.reason === 'length'
    for (const part of withGaps(choice.parts, isShown)) this.#add(part)
    if (this.#pending) this.wires.push(stateAlone(this.#pending))
  }

  #add(part: Part): void {
    if (part.type !== 'reasoning') this.#isBehindThought = false
    switch (part.type) {
      case 'reasoning': {
        const text = part.sections.join('\n\n')
        const isOwn = part.state?.origin === FORMAT
        const state = isOwn ? signatureOf(part.state) : {}
        const isTold = this.#showsThoughts && (text !== '' || part.sections.length > 0)
        // Clients join thoughts; Google's own are pieces of one.
        const gap = this.#isBehindThought && !isOwn ? GAP : ''
        this.#isBehindThought = isTold && text !== ''
        if (isTold)
          this.wires.push({ text: gap + text, thought: true, ...state, ...keptFields(part.native) })
        else if (isOwn) this.wires.push({ text: '', thought: true, ...state })
        if (!part.state || isOwn) return
        if (this.#pending) this.wires.push(stateAlone(this.#pending))
        this.#pending = withThoughts(part.state, text)
        return
      }
      case 'text': {
        const partIndex = this.wires.length
        const { text, citations = [] } = part
        const isNothing = text === '' && citations.length === 0 && !part.state && !part.native
        if (isNothing && !this.#pending) return
        const signature = signatureOf(part.state ?? this.#take())
        this.wires.push({ text, ...signature, ...keptFields(part.native) })
        if (citations.length > 0) this.cited.push({ text, citations, partIndex })
        return
      }
      case 'refusal':
        this.wires.push({ text: part.text, ...signatureOf(this.#take()) })
        return
      case 'call':
        this.wires.push(encodeAnswerCall(part, part.state ?? this.#take(), this.#wasCut))
        return
      case 'media': {
        const wire = encodeAnswerMedia(part)
        if (wire) this.wires.push(wire)
        return
      }
      case 'hosted':
      case 'native':
        if (part.origin === FORMAT) this.wires.push(part.value)
        else if (part.type === 'hosted') this.hosted.push(part)
        return
      case 'result':
        // Results stand in requests only.
        return
    }
  }

  #take(): ReasoningState | undefined {
    const state = this.#pending
    this.#pending = undefined
    return state
  }
}

/** Unless the client said that it wants none: Google's clients know thoughts by their mark. */
export const showsThoughts = ({ request }: AnswerTarget): boolean =>
  request.reasoning?.isShown !== false

function encodeCandidate(choice: Choice, index: number, target: AnswerTarget): JsonObject {
  const { wires, cited, hosted } = new AnswerParts(choice, showsThoughts(target))
  const isOwn = choice.native?.origin === FORMAT
  const parts = wires.length > 0 ? wires : isOwn ? undefined : [{ text: '' }]
  const { explanation } = choice.stop
  return {
    content: { ...(parts ? { parts } : {}), role: 'model' },
    finishReason: encodeFinish(choice.stop),
    ...(isOwn
      ? choice.native?.fields
      : { index, ...encodeGrounding(cited, hosted), ...encodeLogprobs(choice.logprobs) }),
    ...(explanation === undefined ? {} : { finishMessage: explanation }),
  }
}

/** Has the part a place in an answer of this format? */
const isShown = (part: HostedPart | NativePart | MediaPart): boolean =>
  part.type === 'media' ? encodeAnswerMedia(part) !== null : part.origin === FORMAT

/** Usage of an answer whose upstream counted nothing: clients show how full a conversation is by it. */
const unknownUsage = ({ choices }: ExchangeResponse, { estimatedInput }: AnswerTarget): Usage => ({
  ...{ input: estimatedInput, cachedInput: 0, cacheWrite: 0, reasoning: 0 },
  output: estimateOutput(choices.flatMap(({ parts }) => parts)),
})

/** An answer of generateContent, under the name that the client asked for. */
export function encodeResponse(response: ExchangeResponse, target: AnswerTarget): JsonObject {
  const own = keptFields(response.native)
  const isBlocked =
    asObject(own.promptFeedback)?.blockReason !== undefined &&
    response.choices.every(({ parts }) => parts.length === 0)
  const usageMetadata = {
    ...encodeUsage(response.usage ?? unknownUsage(response, target)),
    ...encodeTier(response.serviceTier),
  }
  return {
    ...(isBlocked
      ? {}
      : {
          candidates: response.choices.map((choice, index) =>
            encodeCandidate(choice, index, target),
          ),
        }),
    usageMetadata,
    modelVersion: target.model,
    responseId: target.id,
    ...own,
  }
}
