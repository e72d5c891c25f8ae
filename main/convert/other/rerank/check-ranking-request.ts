import { refuse } from '../../check/check-request.ts'
import type { JsonFields } from '../../json/json-fields.ts'
import { requireList, requirePositive } from '../require-fields.ts'

/**
 * A query, and documents to rank. Both are mostly texts; what else they may be is the vendor's to judge,
 * also vLLM's `{content: […]}` in place of a list.
 */
export function checkRankingRequest(body: JsonFields): void {
  const query = body.kind('query')
  if (query === undefined || query === 'null') refuse('query', 'is required: a text')
  if (query !== 'string' && query !== 'object') refuse('query', 'must be a text')
  const documents = body.kind('documents') === 'object' ? body.get('documents') : undefined
  const isMultimodal = documents !== undefined && 'content' in (documents as object)
  if (!isMultimodal) requireList(body, 'documents', 'documents')
  requirePositive(body, 'top_n')
}
