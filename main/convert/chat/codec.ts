import { refuse, requireCount, requireSwitch, requireTurns } from '../check/check-request.ts'
import type { Codec } from '../codec.ts'
import type { JsonFields } from '../json/json-fields.ts'
import { readChatUsage } from './answer/usage.ts'
import { chatConversion } from './conversion.ts'
import { encodeChatError, encodeChatStreamError } from './error.ts'
import { chatGuard } from './request/guard.ts'
import { createChatScanner } from './stream/scanner.ts'

/** Only what routing and accounting rest on; everything else is the vendor's to judge. */
function checkChatRequest(body: JsonFields): void {
  requireTurns(body, 'messages')
  requireSwitch(body, 'stream')
  for (const field of ['max_tokens', 'max_completion_tokens', 'n']) requireCount(body, field)
  const options = body.kind('stream_options')
  if (options !== undefined && options !== 'null' && options !== 'object') {
    refuse('stream_options', 'must_be_object')
  }
}

/** OpenAI Chat Completions: https://platform.openai.com/docs/api-reference/chat */
export const chatCodec: Codec = {
  format: 'chat',
  guard: chatGuard,
  checkRequest: checkChatRequest,
  checkCount: checkChatRequest,
  readUsage: (answer) =>
    readChatUsage({
      ...{ usage: answer.get('usage'), x_groq: answer.get('x_groq') },
      service_tier: answer.get('service_tier'),
    }),
  answerKeys: ['choices'],
  modelField: 'model',
  createScanner: createChatScanner,
  encodeError: encodeChatError,
  encodeStreamError: encodeChatStreamError,
  conversion: chatConversion,
  streamUsageOption: true,
  takesVerbosity: true,
  keepAlive: ': keep-alive\n\n',
}
