import type { OtherFormat } from '../../call-format.ts'
import type { JsonObject } from '../../json/json-value.ts'
import type { BridgeAnswer, FormatBridge } from '../bridge.ts'
import { ownFields } from '../own-fields.ts'
import { invalidAnswer, parseAnswer } from '../parse-answer.ts'
import { decodeRanking } from './decode-answer.ts'
import { decodeRankingRequest } from './decode-request.ts'
import { encodeCohereAnswer, encodeRerankAnswer } from './encode-answer.ts'
import type { Ranking, RankingRequest, RankingUpstream } from './exchange.ts'
import { cohereUpstream, rerankUpstream, teiUpstream, voyageUpstream } from './upstreams.ts'

/** A format that clients call for rankings in; its bodies are read alike. */
interface RankingClient {
  format: OtherFormat
  /** Does the vendor of this format cut a long document by itself? */
  truncates: boolean
  encode(ranking: Ranking, request: RankingRequest, model: string): JsonObject
}

const rerankClient: RankingClient = {
  format: 'rerank',
  truncates: false,
  encode: encodeRerankAnswer,
}

const cohereClient: RankingClient = {
  format: 'cohere-rerank',
  truncates: true,
  encode: encodeCohereAnswer,
}

const wayBetween = (client: RankingClient, upstream: RankingUpstream): FormatBridge => ({
  from: client.format,
  to: upstream.format,
  encode({ body }, target) {
    const request = decodeRankingRequest(body, target.loss)
    const count = request.documents.length
    if (count > upstream.limit) {
      target.loss.refuse('documents', { code: 'documents_at_most', most: upstream.limit, count })
    }
    // TEI refuses a document that is too long unless it is told to cut it, as Cohere does unasked.
    const asked =
      client.truncates && upstream.format === 'tei-rerank'
        ? { truncate: true, ...request.fields }
        : request.fields
    return [upstream.encode(request, ownFields(asked, upstream.ownFields, target.loss), target)]
  },
  decode([answer], { body, model }, { loss }): BridgeAnswer {
    if (!answer) return invalidAnswer('answer_missing')
    const request = decodeRankingRequest(body, loss)
    const ranking = decodeRanking(parseAnswer(answer), request.documents.length)
    return {
      body: Buffer.from(JSON.stringify(client.encode(ranking, request, model))),
      contentType: 'application/json; charset=utf-8',
      usage: ranking.usage,
    }
  },
})

/** From Jina's and vLLM's rerank to Cohere's, TEI's and Voyage's, and from Cohere's to the others. */
export const rerankBridges: readonly FormatBridge[] = [
  wayBetween(rerankClient, cohereUpstream),
  wayBetween(rerankClient, teiUpstream),
  wayBetween(rerankClient, voyageUpstream),
  wayBetween(cohereClient, rerankUpstream),
  wayBetween(cohereClient, teiUpstream),
  wayBetween(cohereClient, voyageUpstream),
]
