import { encodeChatStreamError } from '../../chat/error.ts'
import { createChatScanner } from '../../chat/stream/scanner.ts'
import { refuse } from '../../check/check-request.ts'
import { KeyGuard } from '../../check/guarded-keys.ts'
import type { Codec } from '../../codec.ts'
import type { JsonFields } from '../../json/json-fields.ts'
import { encodeOpenaiError } from '../../openai/openai-error.ts'
import { requireList, requirePositive } from '../require-fields.ts'
import { readRankingUsage } from './decode-answer.ts'
import { fitRanking, plainDocuments } from './fit-ranking.ts'

/**
 * A query, and documents to rank. Both are mostly texts; what else they may be is the vendor's to judge,
 * also vLLM's `{content: […]}` in place of a list.
 */
function checkRankingRequest(body: JsonFields): void {
  const query = body.kind('query')
  if (query === undefined || query === 'null') refuse('query', 'text_required')
  if (query !== 'string' && query !== 'object') refuse('query', 'must_be_text')
  const documents = body.kind('documents') === 'object' ? body.get('documents') : undefined
  const isMultimodal = documents !== undefined && 'content' in (documents as object)
  if (!isMultimodal) requireList(body, 'documents', 'documents_required', 'must_be_documents')
  requirePositive(body, 'top_n')
}

/**
 * Rerank as Jina, vLLM and Cohere v1 have it: https://jina.ai/reranker. Nobody streams it: the scanner is
 * Chat's, whose error shape these clients read.
 */
export const rerankCodec: Codec = {
  format: 'rerank',
  guard: new KeyGuard({ keys: ['query', 'documents', 'top_n'] }),
  checkRequest: checkRankingRequest,
  fitRequest: plainDocuments,
  fitAnswer: fitRanking,
  readUsage: (answer) => readRankingUsage(answer.get('usage'), answer.get('meta')),
  // Voyage's say `data`.
  answerKeys: ['results', 'data'],
  modelField: 'model',
  createScanner: createChatScanner,
  encodeError: encodeOpenaiError,
  encodeStreamError: encodeChatStreamError,
  keepAlive: null,
}

/**
 * Cohere's v2 rerank: https://docs.cohere.com/reference/rerank. An error is Cohere's `{id, message}` with
 * OpenAI's `error` beside it, because either kind of client calls this path.
 */
export const cohereRerankCodec: Codec = {
  ...rerankCodec,
  format: 'cohere-rerank',
  answerKeys: ['results'],
  encodeError: (error, requestId) => ({
    id: requestId,
    message: error.message,
    ...encodeOpenaiError(error, requestId),
  }),
}
