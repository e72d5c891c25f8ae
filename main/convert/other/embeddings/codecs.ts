import { encodeChatStreamError } from '../../chat/error.ts'
import { createChatScanner } from '../../chat/stream/scanner.ts'
import { refuse } from '../../check/check-request.ts'
import { KeyGuard } from '../../check/guarded-keys.ts'
import type { Codec } from '../../codec.ts'
import {
  encodeGenerateContentError,
  encodeGenerateContentStreamError,
} from '../../generate-content/error.ts'
import { nameGeminiModel } from '../../generate-content/request/path-model.ts'
import { createGenerateContentScanner } from '../../generate-content/stream/scanner.ts'
import type { JsonFields } from '../../json/json-fields.ts'
import { encodeOpenaiError } from '../../openai/openai-error.ts'
import { readTokenUsage } from '../read-usage.ts'
import { isAbsent, requireList, requirePositive } from '../require-fields.ts'
import { fitEncoding } from './fit-encoding.ts'
import { readGeminiUsage } from './gemini-usage.ts'

/**
 * `input` is a text, texts, a list of tokens or several; some vendors take objects in it (`{image}`). Later
 * ones are the vendor's to judge.
 */
function checkEmbeddingsRequest(body: JsonFields): void {
  if (isAbsent(body, 'input')) refuse('input', 'inputs_required')
  if (body.kind('input') !== 'string') {
    requireList(body, 'input', 'text_or_token_list_required', 'must_be_texts_or_tokens')
    const first = body.kindOfFirst('input')
    if (first === 'null' || first === 'boolean') refuse('input[0]', 'must_be_text_or_tokens')
  }
  if (!isAbsent(body, 'encoding_format')) {
    const encoding = body.get('encoding_format')
    if (encoding !== 'float' && encoding !== 'base64') {
      refuse('encoding_format', { code: 'must_be_either', values: ['float', 'base64'] })
    }
  }
  requirePositive(body, 'dimensions')
}

/** Gemini's `:embedContent` embeds one content. */
function checkEmbedContentRequest(body: JsonFields): void {
  if (body.kind('content') !== 'object') refuse('content', 'content_required')
}

/** Gemini's `:batchEmbedContents` embeds the contents of several requests. */
function checkBatchEmbedContentsRequest(body: JsonFields): void {
  requireList(body, 'requests', 'requests_required', 'must_be_requests')
  if (body.kindOfFirst('requests') !== 'object') refuse('requests[0]', 'must_be_object')
}

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
