import type { RankingRequest, RankingUpstream } from './exchange.ts'

const textsOf = ({ documents }: RankingRequest) => documents.map(({ text }) => text)

/**
 * Cohere's v2 rerank: https://docs.cohere.com/reference/rerank. It takes 10 000 documents:
 * https://docs.cohere.com/docs/reranking-best-practices
 */
export const cohereUpstream: RankingUpstream = {
  format: 'cohere-rerank',
  limit: 10_000,
  ownFields: new Set(['max_tokens_per_doc', 'priority']),
  encode: (request, own, { model }) => ({
    model,
    query: request.query,
    documents: textsOf(request),
    ...(request.topN !== undefined && { top_n: request.topN }),
    ...own,
  }),
}

/**
 * Jina's rerank, which vLLM and others serve too: https://jina.ai/reranker. How many documents are too many
 * differs.
 */
export const rerankUpstream: RankingUpstream = {
  format: 'rerank',
  limit: Number.POSITIVE_INFINITY,
  ownFields: new Set(['truncation', 'truncate_prompt_tokens']),
  encode: (request, own, { model }) => ({
    model,
    query: request.query,
    documents: textsOf(request),
    ...(request.topN !== undefined && { top_n: request.topN }),
    // The client's own are put in; old models of Jina send them back unless told not to.
    return_documents: false,
    ...own,
  }),
}

/**
 * Voyage's rerank, of 1000 documents at most: https://docs.voyageai.com/reference/reranker-api. It sends
 * them back only where it is asked to.
 */
export const voyageUpstream: RankingUpstream = {
  format: 'voyage-rerank',
  limit: 1000,
  ownFields: new Set(['truncation']),
  encode: (request, own, { model }) => ({
    model,
    query: request.query,
    documents: textsOf(request),
    ...(request.topN !== undefined && { top_k: request.topN }),
    ...own,
  }),
}

/**
 * Text Embeddings Inference, one model a server, all results at once:
 * https://huggingface.github.io/text-embeddings-inference/. How many documents are too many is the server's
 * own setting (32 unless it says otherwise).
 */
export const teiUpstream: RankingUpstream = {
  format: 'tei-rerank',
  limit: Number.POSITIVE_INFINITY,
  ownFields: new Set(['truncate', 'truncation_direction', 'raw_scores']),
  encode: (request, own) => ({ query: request.query, texts: textsOf(request), ...own }),
}
