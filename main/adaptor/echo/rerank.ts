import { estimateTokens } from '../../base/estimate-tokens.ts'
import { randomText } from '../../base/ids.ts'
import type { LocalRequest } from '../adaptor.ts'
import {
  type EchoAnswer,
  type EchoEndpoint,
  jsonAnswer,
  openaiRefusal,
  refuse,
} from './echo-endpoint.ts'
import { asObject, type Json } from './json-access.ts'
import { readCount, readText } from './read-field.ts'
import { wordsOf } from './reply/words-of.ts'

/** Cohere's count: one search for up to 100 documents (https://cohere.com/pricing). */
const DOCUMENTS_A_SEARCH = 100
const MOST_DOCUMENTS = 10_000

interface Ranking {
  results: { index: number; score: number; text: string }[]
  /** In tokens: the query is read once with every document. */
  tokens: number
  searches: number
}

function textOf(value: unknown, index: number): string {
  const text = typeof value === 'string' ? value : asObject(value).text
  if (typeof text !== 'string') {
    refuse(`documents[${index}]`, 'must be a string, or an object with a text')
  }
  return text
}

/** The share of words that two texts have in common, from 0 to 1: twice the common ones of all. */
function likeness(query: ReadonlySet<string>, text: string): number {
  const words = new Set(wordsOf(text))
  const shared = [...words].filter((word) => query.has(word)).length
  const all = words.size + query.size
  return all === 0 ? 0 : Math.round((2e6 * shared) / all) / 1e6
}

function rank(body: Json): Ranking {
  const query = readText(body, 'query')
  const { documents } = body
  if (!Array.isArray(documents) || documents.length === 0) {
    refuse('documents', 'must be a list that is not empty')
  }
  if (documents.length > MOST_DOCUMENTS) refuse('documents', `must be at most ${MOST_DOCUMENTS}`)
  const most = readCount(body, 'top_n', [1, Number.MAX_SAFE_INTEGER]) ?? documents.length
  const words = new Set(wordsOf(query))
  const texts = documents.map(textOf)
  const asked = estimateTokens(query)
  return {
    results: texts
      .map((text, index) => ({ index, score: likeness(words, text), text }))
      .sort((one, other) => other.score - one.score)
      .slice(0, most),
    tokens: texts.reduce((sum, text) => sum + asked + estimateTokens(text), 0),
    searches: Math.ceil(texts.length / DOCUMENTS_A_SEARCH),
  }
}

const metaOf = ({ searches }: Ranking): Json => ({
  api_version: { version: '2' },
  billed_units: { search_units: searches },
})

function resultsOf({ results }: Ranking, { return_documents: returns }: Json): Json[] {
  return results.map(({ index, score, text }) => ({
    index,
    relevance_score: score,
    ...(returns === true ? { document: { text } } : {}),
  }))
}

function answerJina({ body, model }: LocalRequest): EchoAnswer {
  const ranking = rank(body)
  const { tokens } = ranking
  return jsonAnswer({
    id: `rerank-${randomText(24)}`,
    model,
    object: 'list',
    usage: { prompt_tokens: tokens, total_tokens: tokens },
    results: resultsOf(ranking, body),
    meta: metaOf(ranking),
  })
}

function answerCohere({ body }: LocalRequest): EchoAnswer {
  const ranking = rank(body)
  return jsonAnswer({
    id: randomText(24),
    results: resultsOf(ranking, body),
    meta: metaOf(ranking),
  })
}

/** Echo's ranking by shared words, in the shape of Jina and vLLM: https://jina.ai/reranker */
export const rerank: EchoEndpoint = { answer: answerJina, refuse: openaiRefusal }

/** The same in Cohere's: https://docs.cohere.com/reference/rerank */
export const cohereRerank: EchoEndpoint = {
  answer: answerCohere,
  refuse: (message) => ({ id: randomText(24), message }),
}
