import { isBlank } from '../../errors/is-blank.ts'
import { upstreamError } from '../../errors/upstream-error.ts'
import { readVendorError } from '../../errors/vendor-error.ts'
import { wrongAnswer } from '../../errors/wrong-answer.ts'
import type { Part } from '../../exchange.ts'
import type { ExchangeResponse } from '../../exchange-response.ts'
import { fieldsBeside, keepFields } from '../../foreign/kept-fields.ts'
import { stringifyExact } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString } from '../../json/json-value.ts'
import { namelessCall } from '../../tools/nameless-call.ts'
import { type BlockSource, decodeBlock } from '../decode-block.ts'
import { jsonAnswerKind, unwrapAnswer } from '../json-answer.ts'
import { decodeTier, usageExtras } from './answer-usage.ts'
import { decodeStop } from './stop.ts'
import { decodeUsage } from './usage.ts'

/** Fields of a message that the exchange has words for. */
export const knownOfMessage: ReadonlySet<string> = new Set([
  ...['id', 'type', 'role', 'model', 'content', 'stop_reason', 'stop_sequence', 'stop_details'],
  'usage',
])

/** Where an upstream's signatures come from: they are the vendor's own, of this model. */
export const upstreamSource = (model: string): BlockSource => ({
  state: (data, kind) => ({ origin: 'messages', kind, data, model }),
})

/** A whole message; throws `upstream_invalid`, or `upstream_error` for an error that came with a 200. */
export function decodeResponse(body: unknown): ExchangeResponse {
  const message = asObject(body)
  if (!message || !Array.isArray(message.content)) {
    const error = readVendorError(body)
    throw error ? upstreamError(error) : wrongAnswer('answer_no_message')
  }
  const model = asString(message.model) ?? ''
  const usage = asObject(message.usage)
  const parts = asArray(message.content).flatMap((block) => decodeAnswerBlock(block, model))
  const hasCalls = parts.some(({ type }) => type === 'call')
  const own = fieldsBeside(message, knownOfMessage)
  return {
    id: asString(message.id) ?? '',
    model,
    created: null,
    choices: [{ parts, stop: decodeStop(message, hasCalls) }],
    usage: decodeUsage(usage, message.stop_reason),
    ...decodeTier(usage),
    ...keepFields('messages', { ...own, ...usageExtras(usage) }),
  }
}

/** One block; a call of the tool that carries an answer's schema is the answer's text. */
function decodeAnswerBlock(value: unknown, model: string): Part[] {
  const block: JsonObject | undefined = asObject(value)
  if (!block) return []
  if (block.type === 'tool_use' && !block.name) {
    if (isBlank([block.id, block.input])) return []
    throw namelessCall()
  }
  const kind = block.type === 'tool_use' ? jsonAnswerKind(String(block.name)) : null
  if (kind === null) {
    const part = decodeBlock(block, undefined, upstreamSource(model))
    const isEmpty = part.type === 'text' && part.text === '' && !part.citations
    return isEmpty ? [] : [part]
  }
  const input = kind === 'wrapped' ? unwrapAnswer(block.input) : block.input
  return [{ type: 'text', text: stringifyExact(input ?? {}) }]
}
