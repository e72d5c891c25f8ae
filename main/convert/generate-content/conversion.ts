import type { Conversion } from '../conversion.ts'
import { generateContentCount } from './count.ts'
import { decodeRequest } from './decode-request.ts'
import { decodeResponse } from './decode-response.ts'
import { createDecoder } from './decode-stream.ts'
import { encodeAnswerMedia } from './encode-answer-parts.ts'
import { encodeRequest } from './encode-request.ts'
import { encodeResponse } from './encode-response.ts'
import { createEncoder } from './encode-stream.ts'
import { fieldNames } from './field-names.ts'
import { queriesOf } from './grounding.ts'
import { refuseForeign } from './refuse-foreign.ts'
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
  createDecoder,
  createEncoder,
}
