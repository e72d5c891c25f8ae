import type { AnswerTarget } from '../../conversion.ts'
import type { Native, Part, ReasoningPart, ToolCallPart } from '../../exchange.ts'
import type { Choice, ExchangeResponse } from '../../exchange-response.ts'
import { isWithheld } from '../../foreign/stop-words.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asObject } from '../../json/json-value.ts'
import { inventedId } from '../../tools/tool-ids.ts'
import { keptFields } from '../own-fields.ts'
import { fieldsOfState } from '../reasoning-details.ts'
import { envelope, thoughtNames, tierFields } from './answer-envelope.ts'
import { encodeAnnotation } from './citations.ts'
import { encodeImage, encodeSound } from './encode-media.ts'
import { encodeReasoning } from './encode-reasoning.ts'
import { encodeChatUsage } from './encode-usage.ts'
import { extraOf, isExtra } from './extra-content.ts'
import { encodeFinishReason, finishNote } from './finish-reason.ts'
import { areSeparate } from './separate-texts.ts'

function encodeCall(call: ToolCallPart, index: number, seed: string): JsonObject {
  const { name, kind, native, state } = call
  return {
    ...keptFields(native),
    id: call.id ?? inventedId(`${seed} ${index} ${name}`),
    ...(kind === 'freeform'
      ? { type: 'custom', custom: { name, input: call.arguments } }
      : { type: 'function', function: { name, arguments: call.arguments.trim() || '{}' } }),
    ...extraOf(state),
  }
}

/** Texts as one, a blank line where something else stood between, and the places of what they cite. */
function encodeTexts(parts: readonly Part[]): { content: string; annotations: JsonObject[] } {
  let content = ''
  const annotations: JsonObject[] = []
  let isParted = false
  let last: Native | undefined
  for (const part of parts) {
    if (part.type !== 'text') {
      isParted = true
      continue
    }
    isParted ||= areSeparate(last, part.native)
    if (isParted && content !== '' && part.text !== '') content += '\n\n'
    isParted = false
    last = part.native
    const from = content.length
    content += part.text
    for (const citation of part.citations ?? []) {
      const annotation = encodeAnnotation(citation, from, content.length)
      if (annotation) annotations.push(annotation)
    }
  }
  return { content, annotations }
}

/** State beside a text or call that finds no place there, as a thought without text. */
const thoughtsOf = (parts: readonly Part[]): ReasoningPart[] =>
  parts.flatMap((part): ReasoningPart[] => {
    if (part.type === 'reasoning') return [part]
    if ((part.type !== 'text' && part.type !== 'call') || !part.state) return []
    const isOwn = part.type === 'call' && isExtra(part.state)
    if (isOwn || fieldsOfState(part.state)?.extra_content) return []
    return [{ type: 'reasoning', sections: [], form: 'raw', state: part.state }]
  })

function encodeMessage(parts: readonly Part[], target: AnswerTarget, seed: string): JsonObject {
  const { content, annotations } = encodeTexts(parts)
  const names = thoughtNames(target.request)
  const { text, details } = encodeReasoning(thoughtsOf(parts), names.length > 0)
  const calls = parts.filter((part) => part.type === 'call')
  const refusal = parts.flatMap((part) => (part.type === 'refusal' ? part.text : [])).join('')
  const media = parts.filter((part) => part.type === 'media')
  const images = media
    .filter(({ kind }) => kind === 'image')
    .flatMap((part, index) => encodeImage(part, index) ?? [])
  const sound = media.find(({ kind }) => kind === 'audio')
  const audio = sound ? encodeSound(sound, target) : null
  const isSilent = calls.length > 0 || refusal !== '' || audio !== null
  const textState = parts.findLast((part) => part.type === 'text' && part.state)
  const ownState = textState?.type === 'text' ? textState.state : undefined
  return {
    role: 'assistant',
    content: content === '' && isSilent ? null : content,
    refusal: refusal === '' ? null : refusal,
    ...(text === '' ? {} : Object.fromEntries(names.map((name) => [name, text]))),
    ...(details.length > 0 ? { reasoning_details: details } : {}),
    ...(ownState && fieldsOfState(ownState) ? extraOf(ownState) : {}),
    ...(calls.length > 0
      ? { tool_calls: calls.map((call, index) => encodeCall(call, index, seed)) }
      : {}),
    ...(annotations.length > 0 ? { annotations } : {}),
    ...(images.length > 0 ? { images } : {}),
    ...(audio ? { audio } : {}),
  }
}

function encodeChoice(choice: Choice, index: number, target: AnswerTarget): JsonObject {
  const { message: own, ...fields } = keptFields(choice.native)
  const message = encodeMessage(choice.parts, target, `${target.id} ${index}`)
  // Without words of its own: what the vendor says of it.
  const isMute = message.refusal === null && !message.content && isWithheld(choice.stop)
  const explanation = choice.stop.explanation
  const seen = {
    calls: choice.parts.filter(({ type }) => type === 'call').length,
    hasRefusal: message.refusal !== null,
  }
  return {
    ...fields,
    index,
    message: {
      ...message,
      ...(isMute && explanation ? { content: null, refusal: explanation } : {}),
      ...asObject(own),
    },
    logprobs: choice.logprobs ?? null,
    finish_reason: encodeFinishReason(choice.stop, seen),
    ...finishNote(choice.stop),
  }
}

/** A whole answer for a client: https://platform.openai.com/docs/api-reference/chat/object */
export function encodeChatResponse(response: ExchangeResponse, target: AnswerTarget): JsonObject {
  const { usage: ownUsage, ...own } = keptFields(response.native)
  return {
    ...envelope(target, 'chat.completion'),
    choices: response.choices.map((choice, index) => encodeChoice(choice, index, target)),
    ...(response.usage ? { usage: ownUsage ?? encodeChatUsage(response.usage) } : {}),
    ...tierFields(response.serviceTier),
    ...own,
  }
}
