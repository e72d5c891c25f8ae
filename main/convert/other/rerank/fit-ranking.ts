import type { JsonFields } from '../../json/json-fields.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject } from '../../json/json-value.ts'

const RESULTS = Buffer.from('"results"')

/** The text of a document that is nothing else; undefined for one that is more. */
function onlyText(document: unknown): string | undefined {
  const { text, ...rest } = asObject(document) ?? {}
  return typeof text === 'string' && Object.keys(rest).length === 0 ? text : undefined
}

/**
 * `documents` as plain texts where the client wrote each as `{text}`, which says the same: Jina takes both,
 * vLLM (https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html) and others only texts.
 */
export function plainDocuments(body: JsonFields): JsonObject {
  if (body.kindOfFirst('documents') !== 'object') return {}
  const texts = asArray(body.get('documents')).map(onlyText)
  return texts.every((text) => text !== undefined) ? { documents: texts } : {}
}

function resultOf(value: unknown): JsonObject {
  const { document, score, ...rest } = asObject(value) ?? {}
  // Some say `score`.
  const result = score === undefined ? rest : { relevance_score: score, ...rest }
  if (document === undefined || document === null) return result
  return { ...result, document: typeof document === 'string' ? { text: document } : document }
}

/**
 * An answer whose results stand in `data`, the documents in it bare texts, as Voyage writes it
 * (https://docs.voyageai.com/reference/reranker-api), in the shape that clients of Jina and vLLM read. Null
 * where there is nothing to change.
 */
export function fitRanking(answer: Buffer): Buffer | null {
  if (answer.includes(RESULTS)) return null
  let body: JsonObject | undefined
  try {
    body = asObject(JSON.parse(answer.toString('utf8')))
  } catch {
    return null
  }
  const { data, ...rest } = body ?? {}
  if (!Array.isArray(data)) return null
  return Buffer.from(JSON.stringify({ ...rest, results: data.map(resultOf) }))
}
