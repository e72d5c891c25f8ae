import type { Codec } from '../codec.ts'
import { nameIn } from '../json/name-in.ts'
import { readGenerateContentUsage } from './answer/usage.ts'
import { generateContentConversion } from './conversion.ts'
import { encodeGenerateContentError, encodeGenerateContentStreamError } from './error.ts'
import { checkGenerateContentCount, checkGenerateContentRequest } from './request/check-request.ts'
import { answerLimits, wantsSpeech } from './request/config-fields.ts'
import { generateContentGuard } from './request/guard.ts'
import { createGenerateContentScanner } from './stream/scanner.ts'

/** Gemini generateContent: https://ai.google.dev/api/generate-content */
export const generateContentCodec: Codec = {
  format: 'generate-content',
  guard: generateContentGuard,
  checkRequest: checkGenerateContentRequest,
  checkCount: checkGenerateContentCount,
  readUsage: (answer) => readGenerateContentUsage({ usageMetadata: answer.get('usageMetadata') }),
  answerKeys: ['candidates', 'promptFeedback', 'totalTokens'],
  modelField: 'modelVersion',
  // The path names it.
  renameModel: () => ({}),
  createScanner: createGenerateContentScanner,
  encodeError: encodeGenerateContentError,
  encodeStreamError: encodeGenerateContentStreamError,
  conversion: generateContentConversion,
  rateHeaders: null,
  cacheField: 'cachedContent',
  conversationName: (body) => nameIn(body, 'cachedContent'),
  answerLimits,
  wantsSpeech,
  keepAlive: ': keep-alive\n\n',
}
