import { asLimit } from '../check/check-request.ts'
import type { AnswerLimits, Codec } from '../codec.ts'
import type { JsonFields } from '../json/json-fields.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asArray, asObject, wordOf } from '../json/json-value.ts'
import { nameIn } from '../json/name-in.ts'
import { readGenerateContentUsage } from './answer/usage.ts'
import { generateContentConversion } from './conversion.ts'
import { encodeGenerateContentError, encodeGenerateContentStreamError } from './error.ts'
import { checkGenerateContentCount, checkGenerateContentRequest } from './request/check-request.ts'
import { generateContentGuard } from './request/guard.ts'
import { nameGeminiModel, requirePathModel } from './request/path-model.ts'
import { createGenerateContentScanner } from './stream/scanner.ts'

/** `generationConfig`; Google takes both spellings of a name. */
const configOf = (body: JsonFields): JsonObject | undefined =>
  asObject(body.get('generationConfig')) ?? asObject(body.get('generation_config'))

function answerLimits(body: JsonFields): AnswerLimits {
  const config = configOf(body)
  return {
    tokens: asLimit(config?.maxOutputTokens ?? config?.max_output_tokens),
    answers: Math.max(1, asLimit(config?.candidateCount ?? config?.candidate_count)),
  }
}

function wantsSpeech(body: JsonFields): boolean {
  const config = configOf(body)
  const modalities = asArray(config?.responseModalities ?? config?.response_modalities)
  return modalities.map(wordOf).join().toUpperCase() === 'AUDIO'
}

/** Gemini generateContent: https://ai.google.dev/api/generate-content */
export const generateContentCodec: Codec = {
  format: 'generate-content',
  guard: generateContentGuard,
  checkRequest: checkGenerateContentRequest,
  checkCount: checkGenerateContentCount,
  readUsage: (answer) =>
    readGenerateContentUsage({
      usageMetadata: answer.get('usageMetadata'),
      modelVersion: answer.get('modelVersion'),
    }),
  answerKeys: ['candidates', 'promptFeedback', 'totalTokens'],
  modelField: 'modelVersion',
  // Streams without `alt=sse` are lists: https://ai.google.dev/api/generate-content
  readsErrorLists: true,
  renameModel: nameGeminiModel,
  createScanner: createGenerateContentScanner,
  encodeError: encodeGenerateContentError,
  encodeStreamError: encodeGenerateContentStreamError,
  conversion: generateContentConversion,
  rateHeaders: null,
  checkPathModel: requirePathModel,
  cacheField: 'cachedContent',
  conversationName: (body) => nameIn(body, 'cachedContent'),
  answerLimits,
  wantsSpeech,
  keepAlive: ': keep-alive\n\n',
}
