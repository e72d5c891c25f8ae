import type { Codec } from '../codec.ts'
import { encodeOpenaiError } from '../openai-error.ts'
import { responsesConversion } from './conversion.ts'
import { encodeResponsesStreamError } from './error.ts'
import { responsesGuard } from './guard.ts'
import { checkResponsesCount, checkResponsesRequest } from './request.ts'
import { createResponsesScanner } from './stream.ts'
import { readResponsesUsage } from './usage.ts'

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
  keepAlive: ': keep-alive\n\n',
}
