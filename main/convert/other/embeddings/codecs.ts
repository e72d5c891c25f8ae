import { encodeChatStreamError } from '../../chat/error.ts'
import { createChatScanner } from '../../chat/stream/scanner.ts'
import { KeyGuard } from '../../check/guarded-keys.ts'
import type { Codec } from '../../codec.ts'
import {
  encodeGenerateContentError,
  encodeGenerateContentStreamError,
} from '../../generate-content/error.ts'
import { createGenerateContentScanner } from '../../generate-content/stream/scanner.ts'
import { encodeOpenaiError } from '../../openai/openai-error.ts'
import { readTokenUsage } from '../read-usage.ts'
import {
  checkBatchEmbedContentsRequest,
  checkEmbedContentRequest,
  checkEmbeddingsRequest,
} from './check-embeddings-request.ts'
import { fitEncoding } from './fit-encoding.ts'
import { readGeminiUsage } from './gemini-usage.ts'
import { nameGeminiModel } from './name-gemini-model.ts'

/**
 * OpenAI embeddings: https://platform.openai.com/docs/api-reference/embeddings. No vendor streams them: the
 * scanner is Chat's, whose error shape it shares.
 */
export const embeddingsCodec: Codec = {
  format: 'embeddings',
  guard: new KeyGuard({ keys: ['input', 'encoding_format', 'dimensions'] }),
  checkRequest: checkEmbeddingsRequest,
  readUsage: (answer) => readTokenUsage(answer.get('usage')),
  answerKeys: ['data'],
  fitAnswer: (answer, request) =>
    fitEncoding(answer, request.get('encoding_format') === 'base64' ? 'base64' : 'float'),
  modelField: 'model',
  createScanner: createChatScanner,
  encodeError: encodeOpenaiError,
  encodeStreamError: encodeChatStreamError,
  keepAlive: null,
}

/** Shared by both of Gemini's calls for embeddings. */
const geminiParts = {
  guard: new KeyGuard({ keys: ['content', 'requests'], within: { requests: ['model'] } }),
  // Older models tell no usage.
  readUsage: (answer) => readGeminiUsage(answer.get('usageMetadata')),
  modelField: 'modelVersion',
  renameModel: nameGeminiModel,
  createScanner: createGenerateContentScanner,
  encodeError: encodeGenerateContentError,
  encodeStreamError: encodeGenerateContentStreamError,
  keepAlive: null,
} satisfies Partial<Codec>

/** Gemini embedContent: https://ai.google.dev/api/embeddings#method:-models.embedcontent */
export const embedContentCodec: Codec = {
  ...geminiParts,
  format: 'embed-content',
  checkRequest: checkEmbedContentRequest,
  answerKeys: ['embedding'],
}

/** Gemini batchEmbedContents: https://ai.google.dev/api/embeddings#method:-models.batchembedcontents */
export const batchEmbedContentsCodec: Codec = {
  ...geminiParts,
  format: 'batch-embed-contents',
  checkRequest: checkBatchEmbedContentsRequest,
  answerKeys: ['embeddings'],
}
