import type { Conversion } from '../conversion.ts'
import { decodeResponse } from './answer/decode-response.ts'
import { encodeAnswerMedia } from './answer/encode-answer-parts.ts'
import { encodeResponse } from './answer/encode-response.ts'
import { queriesOf } from './answer/grounding.ts'
import { generateContentCount } from './request/count.ts'
import { decodeRequest } from './request/decode-request.ts'
import { encodeRequest } from './request/encode-request.ts'
import { fieldNames } from './request/field-names.ts'
import { refuseForeign } from './request/refuse-foreign.ts'
import { createDecoder } from './stream/decode-stream.ts'
import { createEncoder } from './stream/encode-stream.ts'
import { FORMAT } from './wire-fields.ts'

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
