import { refuse } from '../../check/check-request.ts'
import type { JsonFields } from '../../json/json-fields.ts'
import { isAbsent, requireList, requirePositive } from '../require-fields.ts'

/**
 * `input` is a text, texts, a list of tokens or several; some vendors take objects in it (`{image}`). Later
 * ones are the vendor's to judge.
 */
export function checkEmbeddingsRequest(body: JsonFields): void {
  if (isAbsent(body, 'input')) refuse('input', 'is required: a text, or a list of texts or tokens')
  if (body.kind('input') !== 'string') {
    requireList(body, 'input', 'texts or tokens')
    const first = body.kindOfFirst('input')
    if (first === 'null' || first === 'boolean') refuse('input[0]', 'must be a text or tokens')
  }
  if (!isAbsent(body, 'encoding_format')) {
    const encoding = body.get('encoding_format')
    if (encoding !== 'float' && encoding !== 'base64') {
      refuse('encoding_format', 'must be float or base64')
    }
  }
  requirePositive(body, 'dimensions')
}

/** Gemini's `:embedContent` embeds one content. */
export function checkEmbedContentRequest(body: JsonFields): void {
  if (body.kind('content') !== 'object') refuse('content', 'is required: an object with parts')
}

/** Gemini's `:batchEmbedContents` embeds the contents of several requests. */
export function checkBatchEmbedContentsRequest(body: JsonFields): void {
  requireList(body, 'requests', 'requests with a content each')
  if (body.kindOfFirst('requests') !== 'object') refuse('requests[0]', 'must be an object')
}
