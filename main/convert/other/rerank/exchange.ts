import type { OtherFormat } from '../../call-format.ts'
import type { Usage } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import type { BridgeTarget } from '../bridge.ts'

/** A document to rank. */
export interface RankedDocument {
  text: string
  /** For a client that wants it back: as it sent it, a bare text as `{text}`. */
  shown: JsonObject
}

/** A call for a ranking, whatever format it came in. */
export interface RankingRequest {
  query: string
  documents: readonly RankedDocument[]
  /** Results wanted; all where it is absent. */
  topN?: number
  returnsDocuments: boolean
  /** Fields of the client's body that only some upstreams know. */
  fields: JsonObject
}

/** A document's place: `index` in the request, the vendor's own score. */
export interface RankingResult {
  index: number
  score: number
}

/** An upstream's ranking. */
export interface Ranking {
  /** The vendor's id of the answer, where it gives one. */
  id?: string
  /** The best first. */
  results: readonly RankingResult[]
  usage: Usage | null
}

/** An upstream's own format for rankings. */
export interface RankingUpstream {
  readonly format: OtherFormat
  /** Documents that it takes; a ranking cannot be put together from several. */
  readonly limit: number
  /** Fields of its own that a client may send through to it. */
  readonly ownFields: ReadonlySet<string>
  encode(request: RankingRequest, own: JsonObject, target: BridgeTarget): JsonObject
}
