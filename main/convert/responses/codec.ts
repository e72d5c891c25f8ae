import { asLimit } from '../check/check-request.ts'
import type { Codec } from '../codec.ts'
import { encodeOpenaiError } from '../openai/openai-error.ts'
import { readResponsesUsage } from './answer/usage.ts'
import { responsesConversion } from './conversion.ts'
import { encodeResponsesStreamError } from './error.ts'
import { checkResponsesCount, checkResponsesRequest } from './request/check-request.ts'
import { responsesGuard } from './request/guard.ts'
import { createResponsesScanner } from './stream/scanner.ts'

/** OpenAI Responses: https://platform.openai.com/docs/api-reference/responses */
export const responsesCodec: Codec = {
  format: 'responses',
  guard: responsesGuard,
  checkRequest: checkResponsesRequest,
  checkCount: checkResponsesCount,
  readUsage: (answer) => readResponsesUsage({ usage: answer.get('usage') }),
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
