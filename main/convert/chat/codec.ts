import type { Codec } from '../codec.ts'
import { chatConversion } from './conversion.ts'
import { encodeChatError, encodeChatStreamError } from './error.ts'
import { chatGuard } from './guard.ts'
import { checkChatRequest } from './request.ts'
import { createChatScanner } from './stream.ts'
import { readChatUsage } from './usage.ts'

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
  keepAlive: ': keep-alive\n\n',
}
