import type { Conversion } from '../conversion.ts'
import { asCount, asObject } from '../json/json-value.ts'
import { decodeResponse } from './answer/decode-response.ts'
import { encodeResponse } from './answer/encode-response.ts'
import { hostedAnswer, imageAnswer } from './answer/hosted-answer.ts'
import { answerId } from './item-ids.ts'
import { decodeRequest, INSTRUCTIONS } from './request/decode-request.ts'
import { encodeRequest } from './request/encode-request.ts'
import { refuseForeignFields } from './request/refuse-foreign.ts'
import { createDecoder } from './stream/decode-stream.ts'
import { createEncoder } from './stream/encode-stream.ts'

/** Fields of the vendor's counting call. */
const countFields = [
  ...['input', 'instructions', 'conversation', 'previous_response_id', 'truncation'],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'reasoning', 'text'],
]

/** OpenAI Responses (https://platform.openai.com/docs/api-reference/responses) and the neutral exchange. */
export const responsesConversion: Conversion = {
  format: 'responses',
  fieldNames: {
    model: 'model',
    stream: 'stream',
    turns: 'input',
    tools: 'tools',
    toolChoice: 'tool_choice',
    parallelCalls: 'parallel_tool_calls',
    reasoning: 'reasoning',
    output: 'text.format',
    maxOutput: 'max_output_tokens',
    temperature: 'temperature',
    topP: 'top_p',
    logprobs: 'top_logprobs',
    verbosity: 'text.verbosity',
    serviceTier: 'service_tier',
    user: 'safety_identifier',
    metadata: 'metadata',
    cacheKey: 'prompt_cache_key',
    previousResponseId: 'previous_response_id',
    store: 'store',
  },
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  // https://platform.openai.com/docs/api-reference/responses/input-tokens
  count: {
    unwrapRequest: (body) => body,
    wrapRequest: (body, model) => ({
      model,
      ...Object.fromEntries(
        countFields.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])),
      ),
    }),
    decodeResponse: (body) => asCount(asObject(body)?.input_tokens) ?? null,
    encodeResponse: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  },
  refuseForeign: refuseForeignFields,
  answerPlaces: {
    choices: false,
    hosted: (part) => hostedAnswer(part) !== null,
    media: (part) => (imageAnswer(part) ? 'whole' : 'words'),
    citation: ({ type }) => type === 'url',
    emptyTexts: true,
    logprobs: true,
    reasoning: true,
    stopSequence: false,
  },
  answerId,
  echoedRequest: (asked) => ({
    ...asked,
    turns: asked.turns.filter(({ at }) => at === INSTRUCTIONS),
  }),
  heldMedia: ['image', 'document', 'audio'],
  takesAddress: (kind) => kind === 'image' || kind === 'document',
  addressField: ({ kind }) => (kind === 'document' ? 'file_url' : 'image_url'),
  toolNames: { fits: /^[a-zA-Z0-9_-]+$/, length: 64 },
  createDecoder,
  createEncoder,
}
