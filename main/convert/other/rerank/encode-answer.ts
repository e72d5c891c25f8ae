import { randomText } from '../../../base/ids.ts'
import type { Usage } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import type { Ranking, RankingRequest } from './exchange.ts'

/** The usage for each kind of client: Cohere's read `meta`, all others `usage`. */
function usageFields(usage: Usage | null): JsonObject {
  if (!usage) return {}
  const { input, detail } = usage
  const units = detail?.searchUnits
  const billed = {
    ...(units === undefined ? {} : { search_units: units }),
    ...(input > 0 ? { input_tokens: input } : {}),
  }
  return {
    ...(Object.keys(billed).length > 0 ? { meta: { billed_units: billed } } : {}),
    ...(input > 0 ? { usage: { prompt_tokens: input, total_tokens: input } } : {}),
  }
}

/** The results that the client asked for; documents only where it asked for them as well. */
const resultsOf = (
  { results }: Ranking,
  { documents, topN, returnsDocuments }: RankingRequest,
): JsonObject[] =>
  results.slice(0, topN).map(({ index, score }) => ({
    index,
    relevance_score: score,
    ...(returnsDocuments && { document: documents[index]?.shown }),
  }))

/** An answer in the shape of Jina and vLLM, with Cohere's `meta`: https://jina.ai/reranker */
export const encodeRerankAnswer = (
  ranking: Ranking,
  request: RankingRequest,
  model: string,
): JsonObject => ({
  id: ranking.id ?? `rerank-${randomText(24)}`,
  object: 'list',
  model,
  results: resultsOf(ranking, request),
  ...usageFields(ranking.usage),
})

/** An answer of Cohere's v2, with `usage` beside it: https://docs.cohere.com/reference/rerank */
export function encodeCohereAnswer(ranking: Ranking, request: RankingRequest): JsonObject {
  const { meta, ...rest } = usageFields(ranking.usage)
  return {
    id: ranking.id ?? `rerank-${randomText(24)}`,
    results: resultsOf(ranking, request),
    meta: { api_version: { version: '2' }, ...(meta as JsonObject | undefined) },
    ...rest,
  }
}
