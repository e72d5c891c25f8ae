import type { Codec } from '../codec.ts'
import { readChatUsage } from './answer/usage.ts'
import { chatConversion } from './conversion.ts'
import { encodeChatError, encodeChatStreamError } from './error.ts'
import { checkChatRequest } from './request/check-request.ts'
import { chatGuard } from './request/guard.ts'
import { createChatScanner } from './stream/scanner.ts'

/** OpenAI Chat Completions: https://platform.openai.com/docs/api-reference/chat */
export const chatCodec: Codec = {
  format: 'chat',
  guard: chatGuard,
  checkRequest: checkChatRequest,
  checkCount: checkChatRequest,
  readUsage: (answer) =>
    readChatUsage({ usage: answer.get('usage'), x_groq: answer.get('x_groq') }),
  answerKeys: ['choices'],
  modelField: 'model',
  createScanner: createChatScanner,
  encodeError: encodeChatError,
  encodeStreamError: encodeChatStreamError,
  conversion: chatConversion,
  streamUsageOption: true,
  keepAlive: ': keep-alive\n\n',
}
