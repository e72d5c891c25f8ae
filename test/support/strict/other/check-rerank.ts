import {
  countFrom,
  demand,
  isObject,
  type Json,
  oneOf,
  onlyFields,
  refuse,
  textAt,
} from '../requests/refusal.ts'

/** A vendor of rankings as strict as the real one. */
export interface RerankVendor {
  /** Where it is called, without the host. */
  path: string
  /** Refuses what the vendor refuses. */
  check(body: Json): void
  /** A right answer to a body that was taken. */
  answer(body: Json): unknown
}

/** The score that every vendor here gives a document: the share of the query's words in it. */
function scoreOf(query: string, document: string): number {
  const words = query.toLowerCase().split(' ')
  const text = document.toLowerCase()
  return words.filter((word) => text.includes(word)).length / words.length
}

function documentsAt(value: unknown, path: string, most: number): unknown[] {
  if (!Array.isArray(value)) refuse(path, 'Input should be a valid list')
  demand(value.length > 0, path, 'must contain at least one document')
  demand(value.length <= most, path, `too many documents: ${value.length}, at most ${most}`)
  return value
}

const textsAt = (value: unknown, path: string, most: number): string[] =>
  documentsAt(value, path, most).map((text, index) => textAt(text, `${path}[${index}]`))

const textOf = (document: unknown): string =>
  isObject(document) ? String(document.text) : String(document)

/** All documents with their scores, the best first. */
const ranked = (query: string, texts: readonly string[]) =>
  texts
    .map((text, index) => ({ index, text, score: scoreOf(query, text) }))
    .sort((one, other) => other.score - one.score)

const cohere: RerankVendor = {
  path: '/v2/rerank',
  check(body) {
    onlyFields(body, '', 'model query documents top_n max_tokens_per_doc priority')
    textAt(body.model, 'model')
    demand(textAt(body.query, 'query') !== '', 'query', 'query must not be empty')
    textsAt(body.documents, 'documents', 10_000)
    if (body.top_n !== undefined) countFrom(body.top_n, 'top_n', 1)
    if (body.max_tokens_per_doc !== undefined) {
      countFrom(body.max_tokens_per_doc, 'max_tokens_per_doc', 1)
    }
  },
  answer: (body) => ({
    id: '07734bd2-2473-4f07-94e1-0d9f0e6843cf',
    results: ranked(String(body.query), body.documents as string[])
      .slice(0, body.top_n as number | undefined)
      .map(({ index, score }) => ({ index, relevance_score: score })),
    meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
  }),
}

/** Jina sends the documents back unless told not to. */
const jina: RerankVendor = {
  path: '/v1/rerank',
  check(body) {
    onlyFields(
      body,
      '',
      'model query documents top_n return_documents truncation truncate_prompt_tokens',
    )
    textAt(body.model, 'model')
    textAt(body.query, 'query')
    for (const [index, document] of documentsAt(body.documents, 'documents', 2048).entries()) {
      if (isObject(document)) textAt(document.text, `documents[${index}].text`)
      else textAt(document, `documents[${index}]`)
    }
    if (body.top_n !== undefined) countFrom(body.top_n, 'top_n', 1)
  },
  answer: (body) => ({
    model: body.model,
    object: 'list',
    usage: { total_tokens: 21 },
    results: ranked(String(body.query), (body.documents as unknown[]).map(textOf))
      .slice(0, body.top_n as number | undefined)
      .map(({ index, score, text }) => ({
        index,
        relevance_score: score,
        ...(body.return_documents !== false && { document: { text } }),
      })),
  }),
}

/** vLLM always sends the documents back, and takes texts only. */
const vllm: RerankVendor = {
  path: '/v1/rerank',
  check(body) {
    textAt(body.model, 'model')
    textAt(body.query, 'query')
    textsAt(body.documents, 'documents', Number.POSITIVE_INFINITY)
    if (body.top_n !== undefined) countFrom(body.top_n, 'top_n', 0)
  },
  answer: (body) => ({
    id: 'rerank-7f1c',
    model: body.model,
    usage: { prompt_tokens: 56, total_tokens: 56 },
    results: ranked(String(body.query), body.documents as string[])
      .slice(0, (body.top_n as number | undefined) || undefined)
      .map(({ index, score, text }) => ({ index, document: { text }, relevance_score: score })),
  }),
}

/** Voyage takes texts only, and knows `top_k`: https://docs.voyageai.com/reference/reranker-api */
const voyage: RerankVendor = {
  path: '/v1/rerank',
  check(body) {
    onlyFields(body, '', 'model query documents top_k return_documents truncation')
    textAt(body.model, 'model')
    textAt(body.query, 'query')
    textsAt(body.documents, 'documents', 1000)
    if (body.top_k !== undefined) countFrom(body.top_k, 'top_k', 1)
  },
  answer: (body) => ({
    object: 'list',
    data: ranked(String(body.query), body.documents as string[])
      .slice(0, body.top_k as number | undefined)
      .map(({ index, score, text }) => ({
        index,
        relevance_score: score,
        ...(body.return_documents === true && { document: text }),
      })),
    model: body.model,
    usage: { total_tokens: 17 },
  }),
}

/** TEI refuses what its server is not set up for, and gives all results, in a bare list. */
const tei: RerankVendor = {
  path: '/rerank',
  check(body) {
    onlyFields(body, '', 'query texts truncate truncation_direction raw_scores return_text')
    textAt(body.query, 'query')
    const texts = Array.isArray(body.texts) ? body.texts.length : 0
    if (texts > 32) {
      refuse('texts', `batch size ${texts} > maximum allowed batch size 32`, 422, 'Validation')
    }
    textsAt(body.texts, 'texts', 32)
    for (const field of ['truncate', 'raw_scores', 'return_text']) {
      if (body[field] !== undefined) oneOf(String(body[field]), field, 'true false')
    }
  },
  answer: (body) =>
    ranked(String(body.query), body.texts as string[]).map(({ index, score }) => ({
      index,
      score,
    })),
}

/** The vendors by name. */
export const rerankVendors = { cohere, jina, vllm, voyage, tei } satisfies Record<
  string,
  RerankVendor
>
