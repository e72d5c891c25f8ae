import type { OtherFormat } from '../../call-format.ts'
import type { Usage } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import type { Loss } from '../../loss.ts'
import type { BridgeTarget } from '../bridge.ts'

/** Something that the client asks for, and where in its body. */
export interface RequestedValue<T> {
  /** `dimensions`, `requests[3].taskType`. */
  at: string
  value: T
}

/** Purpose of an embedding. */
export type EmbeddingTask =
  | 'query'
  | 'document'
  | 'similarity'
  | 'classification'
  | 'clustering'
  | 'question'
  | 'facts'
  | 'code-query'
  | 'code-document'

/** Purpose of the vectors. */
export interface RequestedTask {
  at: string
  /** The client's own word. */
  word: string
  /** Its meaning; undefined for a word that is in no vendor's list. */
  task: EmbeddingTask | undefined
}

/** One thing to embed, with what is asked of its vector. */
export interface EmbeddingInput {
  /** Where it stands in the client's body: `input[2]`, `requests[0].content`. */
  at: string
  /** Null where it is no text; then `object` says what it is. */
  text: string | null
  /** As the client wrote it, where it is an object (`{image}`), which some upstreams take. */
  object?: JsonObject
  task?: RequestedTask
  title?: RequestedValue<string>
  /** Numbers wanted in the vector. */
  dimensions?: RequestedValue<number>
}

/** A call for embeddings, whatever format it came in. */
export interface EmbeddingsRequest {
  inputs: readonly EmbeddingInput[]
  /** How the client wants its vectors. */
  encoding: 'float' | 'base64'
  /** Fields of the client's body that only some upstreams know. */
  fields: JsonObject
}

/** A format that clients call for embeddings in. */
export interface EmbeddingsClient {
  readonly format: OtherFormat
  /** Throws `invalid_request` for what can reach no upstream of another format. */
  decode(body: JsonObject, loss: Loss): EmbeddingsRequest
  /** `vectors` stand in the order of the inputs; `tokens` were read. */
  encode(
    vectors: readonly number[][],
    tokens: number,
    request: EmbeddingsRequest,
    model: string,
  ): JsonObject
}

/** An upstream's own format for embeddings. */
export interface EmbeddingsUpstream {
  readonly format: OtherFormat
  /** Inputs that it takes at once. */
  readonly limit: number
  /** Tokens that it takes at once in all inputs together, where it limits them; estimated, too high rather than too low. */
  readonly tokenLimit?: number
  /** Fields of its own that a client may send through to it. */
  readonly ownFields: ReadonlySet<string>
  /** One of those, which is about all inputs together, so that they cannot be split. */
  readonly wholeField?: string
  /** A body for inputs that are asked for alike. Throws `invalid_request` for what it cannot give. */
  encode(batch: readonly EmbeddingInput[], own: JsonObject, target: BridgeTarget): JsonObject
  /** The vectors as they stand in a parsed answer, in the order of the batch, and what was used. */
  decode(answer: unknown): { vectors: readonly unknown[]; usage: Usage | null }
}
