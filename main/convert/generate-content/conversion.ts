import type { BodyRule } from '../../base/sentences/body-rules.ts'
import type { Conversion, CountConversion } from '../conversion.ts'
import type { ExchangeRequest } from '../exchange.ts'
import { asCount, asObject } from '../json/json-value.ts'
import type { Loss } from '../loss.ts'
import { decodeResponse } from './answer/decode-response.ts'
import { encodeAnswerMedia } from './answer/encode-answer-parts.ts'
import { encodeResponse } from './answer/encode-response.ts'
import { queriesOf } from './answer/grounding.ts'
import { decodeRequest } from './request/decode-request.ts'
import { encodeRequest } from './request/encode-request.ts'
import { fieldNames } from './request/field-names.ts'
import { createDecoder } from './stream/decode-stream.ts'
import { createEncoder } from './stream/encode-stream.ts'
import { FORMAT, keptFields } from './wire-fields.ts'

/** Fields that bring a part of the conversation, or of the answer, that lies at Google. */
const fieldRules: Readonly<Record<string, BodyRule>> = {
  cachedContent: 'content_at_google',
  continuationToken: 'answer_of_google',
  'generationConfig.responseMimeType': {
    code: 'must_be_either_for_model',
    values: ['application/json', 'text/plain'],
  },
}

/**
 * Throws `invalid_request` for what a request of this format asks and no other format can give: content that
 * is kept at Google, spoken answers, answers in other forms than text and JSON.
 */
function refuseForeign({ native, modalities }: ExchangeRequest, loss: Loss): void {
  const fields = keptFields(native)
  for (const [name, rule] of Object.entries(fieldRules)) {
    if (fields[name] !== undefined) loss.refuse(name, rule)
  }
  if (modalities?.includes('audio')) {
    loss.refuse(loss.field('modalities'), 'no_audio_but_google')
  }
}

/** `:countTokens`, which takes bare contents or a whole request: https://ai.google.dev/api/tokens */
const generateContentCount: CountConversion = {
  unwrapRequest: (body) =>
    asObject(body.generateContentRequest ?? body.generate_content_request) ?? body,
  wrapRequest: (body, model) => ({ generateContentRequest: { model: `models/${model}`, ...body } }),
  decodeResponse: (body) => asCount(asObject(body)?.totalTokens) ?? null,
  encodeResponse: (tokens) => ({ totalTokens: tokens }),
}

/** Gemini generateContent, to and from the neutral exchange: https://ai.google.dev/api/generate-content */
export const generateContentConversion: Conversion = {
  format: FORMAT,
  fieldNames,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  count: generateContentCount,
  refuseForeign,
  answerPlaces: {
    choices: true,
    hosted: (part) => queriesOf(part).length > 0,
    media: (part) => (encodeAnswerMedia(part) ? 'whole' : null),
    citation: () => true,
    emptyTexts: true,
    logprobs: true,
    reasoning: true,
    stopSequence: false,
  },
  heldMedia: ['image', 'document', 'audio', 'video'],
  // https://ai.google.dev/gemini-api/docs/file-input-methods
  takesAddress: (_, url) => /^https:/i.test(url),
  addressField: () => 'fileData.fileUri',
  toolNames: { fits: /^[a-zA-Z_][a-zA-Z0-9_.:-]*$/, length: 128 },
  createDecoder,
  createEncoder,
}
