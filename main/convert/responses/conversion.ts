import type { Conversion } from '../conversion.ts'
import { asCount, asObject } from '../json-value.ts'
import { decodeRequest } from './decode-request.ts'
import { decodeResponse } from './decode-response.ts'
import { createDecoder } from './decode-stream.ts'
import { encodeRequest } from './encode-request.ts'
import { encodeResponse } from './encode-response.ts'
import { createEncoder } from './encode-stream.ts'
import { hostedAnswer, imageAnswer } from './hosted-answer.ts'
import { answerId } from './item-ids.ts'
import { refuseForeignFields } from './refuse-foreign.ts'

/** What the vendor's call that counts takes. */
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
  createDecoder,
  createEncoder,
}
