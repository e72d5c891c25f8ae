import { GatewayError } from '../../../base/errors.ts'
import { readVendorError } from '../../errors/vendor-error.ts'
import { wrongAnswer } from '../../errors/wrong-answer.ts'
import type { Part, Usage } from '../../exchange.ts'
import type { Choice, ExchangeResponse } from '../../exchange-response.ts'
import { fieldsBeside } from '../../foreign/kept-fields.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asCount, asObject, asString } from '../../json/json-value.ts'
import { decodePart } from '../decode-part.ts'
import { camelFields, FORMAT, ownNative } from '../wire-fields.ts'
import { decodeBlock, decodeFinish } from './finish-reason.ts'
import { countSearches, decodeCitations } from './grounding.ts'
import { decodeLogprobs } from './logprobs-result.ts'
import { decodeTier } from './usage.ts'
import { decodeUsage } from './usage-metadata.ts'

const knownOfCandidate = new Set(['content', 'finishReason', 'finishMessage'])
const knownOfAnswer = new Set(['candidates', 'modelVersion', 'responseId'])

/** Unix seconds of an RFC 3339 time; null for anything else. */
export function decodeTime(value: unknown): number | null {
  const milliseconds = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isFinite(milliseconds) ? Math.floor(milliseconds / 1000) : null
}

/** Fields of a candidate beside its content and the fields that the exchange holds in full. */
export const candidateNative = (candidate: JsonObject) =>
  ownNative(fieldsBeside(candidate, knownOfCandidate))

function decodeCandidate(value: unknown, model: string): Choice {
  const candidate = camelFields(asObject(value) ?? {})
  const wires = asArray(asObject(candidate.content)?.parts).map((wire) => asObject(wire) ?? {})
  const parts: Part[] = []
  /** The first decoded part of each wire part. */
  const firsts = wires.map((wire) => {
    const decoded = decodePart(wire, undefined, model)
    // Google closes some answers with an empty text.
    const visible = decoded.filter((part) => part.type !== 'text' || part.text !== '' || part.state)
    parts.push(...visible)
    return visible.find(({ type }) => type === 'text')
  })
  const texts = firsts.map((part) => (part?.type === 'text' ? part.text : ''))
  const hasText = texts.some((text) => text !== '')
  const placed = decodeCitations(candidate, hasText ? texts : [''])
  for (const { citation, partIndex } of hasText ? placed : []) {
    const part = firsts[partIndex]
    if (part?.type === 'text') part.citations = [...(part.citations ?? []), citation]
  }
  if (!hasText && placed.length > 0)
    parts.push({ type: 'text', text: '', citations: placed.map(({ citation }) => citation) })
  const hasCalls = parts.some(({ type }) => type === 'call')
  const logprobs = decodeLogprobs(candidate.logprobsResult)
  const finishMessage = asString(candidate.finishMessage)
  return {
    parts,
    stop: decodeFinish(asString(candidate.finishReason) ?? null, hasCalls, finishMessage),
    ...(logprobs ? { logprobs } : {}),
    native: { origin: FORMAT, fields: {} },
    ...candidateNative(candidate),
  }
}

/** Usage with the number of searches that the answer tells of. */
export function withSearches(usage: Usage | null, webSearches: number): Usage | null {
  if (!usage || webSearches === 0) return usage
  return { ...usage, detail: { ...usage.detail, webSearches } }
}

/** An answer of generateContent. Throws `upstream_invalid` for what is none. */
export function decodeResponse(body: unknown): ExchangeResponse {
  const wire = camelFields(asObject(body) ?? {})
  const feedback = camelFields(asObject(wire.promptFeedback) ?? {})
  const blockReason = asString(feedback.blockReason)
  const candidates = asArray(wire.candidates)
  if (candidates.length === 0 && blockReason === undefined) {
    const message = readVendorError(body)?.message
    if (message === undefined) throw wrongAnswer('answer_no_candidate')
    const reason = { code: 'vendor_said', said: message } as const
    throw new GatewayError('upstream_invalid', { message, reason })
  }
  const model = asString(wire.modelVersion) ?? ''
  const choices = candidates.map((candidate) => decodeCandidate(candidate, model))
  if (choices.length === 0) {
    const explanation = asString(feedback.blockReasonMessage)
    choices.push({ parts: [], stop: decodeBlock(blockReason ?? 'OTHER', explanation) })
  }
  const tier = decodeTier(wire.usageMetadata)
  const searches = candidates.reduce<number>(
    (sum, one) => sum + countSearches(camelFields(asObject(one) ?? {})),
    0,
  )
  return {
    id: asString(wire.responseId) ?? '',
    model,
    created: decodeTime(wire.createTime),
    choices,
    usage: withSearches(decodeUsage(wire.usageMetadata, model), searches),
    ...(tier === undefined ? {} : { serviceTier: tier }),
    ...ownNative(fieldsBeside(wire, knownOfAnswer)),
  }
}

/** The place of a candidate among the answers: its own word, else its place in the list. */
export const choiceOf = (candidate: JsonObject, position: number): number =>
  asCount(candidate.index) ?? position
