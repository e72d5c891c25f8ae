import type { AnswerFault } from '../../../base/sentences/answer-faults.ts'
import { upstreamError } from '../../errors/upstream-error.ts'
import { wrongAnswer } from '../../errors/wrong-answer.ts'
import type { Part, TextPart } from '../../exchange.ts'
import type { Choice, ExchangeResponse } from '../../exchange-response.ts'
import { keepFields } from '../../foreign/kept-fields.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asCount, asObject, asString } from '../../json/json-value.ts'
import { inventedId } from '../../tools/tool-ids.ts'
import { decodeCalls, stateOfExtra } from '../decode-calls.ts'
import { decodeReasoning } from '../decode-reasoning.ts'
import { LeadingThought } from '../leading-thought.ts'
import { ownFields } from '../own-fields.ts'
import { readAnswerError } from './answer-error.ts'
import { decodeAnnotation } from './citations.ts'
import { decodeAnswerContent } from './decode-answer-content.ts'
import { soundOf } from './decode-sound.ts'
import { decodeFinishReason } from './finish-reason.ts'
import { knownOfMessage } from './known-of-message.ts'
import { readChatUsage } from './usage.ts'

const knownOfAnswer = new Set([
  ...['id', 'object', 'created', 'model', 'choices', 'service_tier', 'obfuscation', 'error'],
])
const knownOfChoice = new Set(['index', 'message', 'finish_reason', 'logprobs', 'error'])

const unreadable = (fault: AnswerFault): never => {
  throw wrongAnswer(fault)
}

/** Web addresses that the text rests on; they belong to the last text. */
function cite(parts: Part[], annotations: unknown): void {
  const citations = asArray(annotations).flatMap((one) => decodeAnnotation(one) ?? [])
  if (citations.length === 0) return
  const text = parts.findLast((part): part is TextPart => part.type === 'text')
  if (text) text.citations = citations
  else parts.push({ type: 'text', text: '', citations })
}

/** A text that begins with a thought; null for any other content. */
function leadingParts(content: unknown): Part[] | null {
  if (typeof content !== 'string') return null
  const leading = new LeadingThought()
  const begun = leading.push(content)
  const rest = leading.end()
  const thought = begun.thought + rest.thought
  const text = begun.text + rest.text
  if (text === content) return null
  // A model that didn't think may write the tags all the same.
  const thinking: Part = { type: 'reasoning', sections: [thought], form: 'raw' }
  return [
    ...(thought === '' ? [] : [thinking]),
    ...(text === '' ? [] : [{ type: 'text', text } as Part]),
  ]
}

function decodeParts(message: JsonObject, seed: string): Part[] {
  const thoughts = decodeReasoning(message)
  const parts: Part[] = [
    ...thoughts,
    ...((thoughts.length > 0 ? null : leadingParts(message.content)) ??
      decodeAnswerContent(message.content)),
  ]
  const refusal = asString(message.refusal)
  if (refusal) parts.push({ type: 'refusal', text: refusal })
  cite(parts, message.annotations)
  const state = stateOfExtra(asObject(message.extra_content), 'upstream')
  const text = parts.findLast((part): part is TextPart => part.type === 'text')
  if (state && text) text.state = state
  parts.push(...decodeAnswerContent(message.images).filter(({ type }) => type === 'media'))
  const sound = asObject(message.audio)
  if (sound && asString(sound.data)) parts.push(soundOf(sound))
  const calls = decodeCalls(message, 'upstream', (path) =>
    unreadable({ code: 'answer_call_nameless', place: path }),
  )
  for (const [index, call] of calls.entries()) {
    call.id ??= inventedId(`${seed} ${index} ${call.name} ${call.arguments}`)
    parts.push(call)
  }
  return parts
}

function decodeChoice(choice: JsonObject, seed: string): Choice {
  const message = asObject(choice.message) ?? unreadable('answer_choice_empty')
  const own = ownFields(message, knownOfMessage).native?.fields
  const fields: JsonObject = {
    ...ownFields(choice, knownOfChoice).native?.fields,
    ...(own ? { message: own } : {}),
  }
  const logprobs = asObject(choice.logprobs)
  return {
    parts: decodeParts(message, seed),
    stop: decodeFinishReason(asString(choice.finish_reason) || 'stop', asObject(choice.error)),
    ...(logprobs ? { logprobs } : {}),
    ...keepFields('chat', fields),
  }
}

/**
 * A whole answer of a chat upstream. Throws `upstream_error` for the vendor's own error under status 200, and
 * `upstream_invalid` for what is no answer.
 */
export function decodeChatResponse(body: unknown): ExchangeResponse {
  const answer = asObject(body) ?? unreadable('answer_no_object')
  const error = readAnswerError(answer)
  if (error) throw upstreamError(error)
  // An empty list is no answer, whatever was counted: gateways before Google send it for a turn without words
  // (BerriAI/litellm#40252).
  if (asArray(answer.choices).length === 0) unreadable('answer_no_choices')
  const id = asString(answer.id) ?? ''
  const created = asCount(answer.created) ?? null
  const objects = asArray(answer.choices).map((one) => asObject(one) ?? unreadable('answer_broken'))
  const ordered = objects.toSorted(
    (one, other) => (asCount(one.index) ?? 0) - (asCount(other.index) ?? 0),
  )
  const tier = asString(answer.service_tier)
  return {
    id,
    model: asString(answer.model) ?? '',
    created,
    choices: ordered.map((choice, index) => decodeChoice(choice, `${id} ${created} ${index}`)),
    usage: readChatUsage(answer),
    ...(tier === undefined ? {} : { serviceTier: tier }),
    ...ownFields(answer, knownOfAnswer),
  }
}
