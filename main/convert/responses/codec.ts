import { asLimit } from '../check/check-request.ts'
import type { Codec } from '../codec.ts'
import type { Usage } from '../exchange.ts'
import type { JsonFields } from '../json/json-fields.ts'
import { encodeOpenaiError } from '../openai/openai-error.ts'
import { readResponsesUsage } from './answer/usage.ts'
import { responsesConversion } from './conversion.ts'
import { encodeResponsesStreamError } from './error.ts'
import { checkResponsesCount, checkResponsesRequest } from './request/check-request.ts'
import { responsesGuard } from './request/guard.ts'
import { createResponsesScanner } from './stream/scanner.ts'

const SEARCH = Buffer.from('"web_search_call"')

/** Most answers hold no search: their items needn't be parsed. */
function readUsage(answer: JsonFields): Usage | null {
  const output = answer.includes(SEARCH) ? answer.get('output') : []
  return readResponsesUsage({
    ...{ usage: answer.get('usage'), service_tier: answer.get('service_tier') },
    ...{ tool_usage: answer.get('tool_usage'), output },
  })
}

/** OpenAI Responses: https://platform.openai.com/docs/api-reference/responses */
export const responsesCodec: Codec = {
  format: 'responses',
  guard: responsesGuard,
  checkRequest: checkResponsesRequest,
  checkCount: checkResponsesCount,
  readUsage,
  answerKeys: ['output', 'input_tokens'],
  modelField: 'model',
  createScanner: createResponsesScanner,
  encodeError: encodeOpenaiError,
  encodeStreamError: encodeResponsesStreamError,
  conversion: responsesConversion,
  path: '/v1/responses',
  keepsAnswers: true,
  takesVerbosity: true,
  answerLimits: (body) => ({ tokens: asLimit(body.get('max_output_tokens')), answers: 1 }),
  keepAlive: ': keep-alive\n\n',
}
