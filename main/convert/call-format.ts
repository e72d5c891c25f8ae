import type { WireFormat } from './exchange.ts'

/** The shape of a model call that is no conversation, named for its endpoint. */
export type OtherFormat =
  // Formats that a client can call.
  | 'completions'
  | 'compact'
  | 'embeddings'
  | 'embed-content'
  | 'batch-embed-contents'
  | 'images'
  | 'image-edits'
  | 'image-variations'
  | 'transcriptions'
  | 'translations'
  | 'speech'
  | 'rerank'
  | 'cohere-rerank'
  | 'realtime'
  // Formats that only upstreams are called in.
  | 'cohere-embed'
  | 'jina-embed'
  | 'ollama-embed'
  | 'tei-rerank'
  | 'voyage-rerank'

/** The shape of any model call on the wire. */
export type CallFormat = WireFormat | OtherFormat

/** Formats of conversations, each of which can be converted to the others. `registerCodec` adds to them. */
export const wireFormats = new Set<WireFormat>()
