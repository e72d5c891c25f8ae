import type { Usage } from '../../exchange.ts'
import { asCount, asObject, asString } from '../../json/json-value.ts'
import { invalidAnswer } from '../parse-answer.ts'
import { readCohereMeta, readTokenUsage } from '../read-usage.ts'
import type { Ranking, RankingResult } from './exchange.ts'

/** Usage of a ranking: `usage` in tokens (Jina, vLLM, Voyage), `meta` in search units (Cohere). */
export function readRankingUsage(usage: unknown, meta: unknown): Usage | null {
  const reported = readCohereMeta(meta)
  const tokens = readTokenUsage(usage)
  if (!reported || !tokens || reported.input > 0) return reported ?? tokens
  return { ...tokens, ...(reported.detail && { detail: reported.detail }) }
}

function resultOf(value: unknown, documents: number): RankingResult {
  const result = asObject(value)
  const index = asCount(result?.index)
  const score = result?.relevance_score ?? result?.score
  if (index === undefined || !Number.isInteger(index) || index >= documents) {
    invalidAnswer('answer_unsent_document')
  }
  if (typeof score !== 'number') invalidAnswer({ code: 'answer_document_unscored', index })
  return { index, score }
}

/**
 * A ranking in any of the shapes in use: `{results: [{index, relevance_score}]}` (Cohere, Jina, vLLM),
 * `{data: […]}` (Voyage), a bare list of `{index, score}` (TEI). The best first, scores as the vendor gave
 * them, which need not lie between 0 and 1. Throws `upstream_invalid`.
 */
export function decodeRanking(answer: unknown, documents: number): Ranking {
  const body = asObject(answer)
  const list = body ? (body.results ?? body.data) : answer
  if (!Array.isArray(list)) return invalidAnswer('answer_no_results')
  const results = list.map((value) => resultOf(value, documents))
  if (new Set(results.map(({ index }) => index)).size < results.length) {
    invalidAnswer('answer_document_twice')
  }
  const id = asString(body?.id)
  return {
    ...(id && { id }),
    results: results.sort((one, other) => other.score - one.score),
    usage: readRankingUsage(body?.usage, body?.meta),
  }
}
