import { fieldsBeside } from '../../foreign/kept-fields.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asCount, asObject, asString } from '../../json/json-value.ts'
import type { Loss } from '../../loss.ts'
import type { RankedDocument, RankingRequest } from './exchange.ts'

const KNOWN = new Set([
  'model',
  'query',
  'documents',
  'top_n',
  'top_k',
  'rank_fields',
  'return_documents',
  'return_text',
])

/** A field of a document as a line of text; null for one that it has not. */
function lineOf(document: JsonObject, name: string): string | null {
  const value = document[name]
  if (value === undefined || value === null) return null
  return `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`
}

/**
 * The ranked part of a document: its text, or, as Cohere's v1 has it, the fields that the client names, in
 * their order. Cohere asks for such as YAML: https://docs.cohere.com/docs/reranking-best-practices
 */
function documentOf(value: unknown, at: string, rankFields: string[], loss: Loss): RankedDocument {
  if (typeof value === 'string') return { text: value, shown: { text: value } }
  const document = asObject(value)
  if (!document) return loss.refuse(at, 'must_be_string_or_text_object')
  if (rankFields.length === 0 || rankFields.join() === 'text') {
    const text = asString(document.text)
    if (text !== undefined) return { text, shown: document }
    const other = ['image', 'content'].find((name) => name in document)
    if (other) loss.refuse(`${at}.${other}`, 'ranks_text_only')
    return loss.refuse(`${at}.text`, 'rank_fields_required')
  }
  const lines = rankFields.map((name) => lineOf(document, name)).filter((line) => line !== null)
  if (lines.length === 0)
    loss.refuse(at, { code: 'none_of_rank_fields', names: rankFields.join(', ') })
  loss.approximate('rank_fields', 'fields_become_lines')
  return { text: lines.join('\n'), shown: document }
}

function topOf(body: JsonObject, loss: Loss): { topN?: number } {
  const at = ['top_n', 'top_k'].find((name) => body[name] !== undefined && body[name] !== null)
  if (at === undefined) return {}
  const topN = asCount(body[at])
  if (!topN || !Number.isInteger(topN)) return loss.refuse(at, 'must_be_positive_integer')
  return { topN }
}

/**
 * A body of any of the clients of `/rerank`: Cohere v1 and v2, Jina, vLLM, Voyage (`top_k`). Throws
 * `invalid_request` for what is no text.
 */
export function decodeRankingRequest(body: JsonObject, loss: Loss): RankingRequest {
  const query = asString(body.query) ?? asString(asObject(body.query)?.text)
  if (query === undefined) return loss.refuse('query', 'must_be_text_here')
  const documents = asArray(body.documents)
  if (documents.length === 0) loss.refuse('documents', 'must_be_documents')
  const rankFields = asArray(body.rank_fields).map(String)
  return {
    query,
    documents: documents.map((value, index) =>
      documentOf(value, `documents[${index}]`, rankFields, loss),
    ),
    ...topOf(body, loss),
    returnsDocuments: body.return_documents === true || body.return_text === true,
    fields: fieldsBeside(body, KNOWN),
  }
}
