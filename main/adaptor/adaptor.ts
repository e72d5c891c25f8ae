import type { FrameSocket } from '../base/net/frame-socket.ts'
import type { CallFormat, OtherFormat } from '../convert/call-format.ts'
import type { BalanceCall } from './balance.ts'

/** Endpoint types, as `settings.endpoint_types` of a channel names them. */
export type EndpointType = (typeof ENDPOINT_TYPES)[number]

export const ENDPOINT_TYPES = [
  'openai',
  'openai-response',
  'anthropic',
  'gemini',
  'embeddings',
  'image-generation',
  'jina-rerank',
  'audio',
  'realtime',
] as const

/**
 * An adaptor's view of a channel. Results worked out of it are kept for as long as the
 * object lives, so hand in the stored channel itself, or one object per key, not a fresh copy a call.
 */
export interface ChannelTarget {
  id: number
  type: number
  /** As its owner typed it; empty for the vendor's own address. */
  baseUrl: string
  /** One key, in plain text. */
  key: string
  /** Type-specific: Azure's and Gemini's API version. */
  other: string
  openaiOrganization: string | null
  settings: ChannelTargetSettings
  /** Id of the preset that the channel was made from. */
  preset: string | null
}

/** The keys of a channel's `settings` that adaptors read. */
export interface ChannelTargetSettings {
  endpoint_types?: unknown
  /** False when the upstream refuses `stream_options`. */
  stream_options?: unknown
  /** Where the same vendor speaks Anthropic's format, when not under the channel's base URL. */
  anthropic_base_url?: unknown
  /** How Anthropic's format carries the key: `bearer`, `x-api-key` or `both`. */
  anthropic_auth?: unknown
  /** How rankings are asked for: `jina` (vLLM too), `cohere` or `tei`. */
  rerank_format?: unknown
  /** False when the upstream has no `/completions`: such a call then becomes a conversation. */
  completions?: unknown
  /** API version for Azure's Responses endpoint, when it is not the one in `other`. */
  azure_responses_version?: unknown
  [name: string]: unknown
}

export interface UpstreamCall {
  format: CallFormat
  verb: 'generate' | 'count-tokens'
  /** The model's name at the upstream. */
  model: string
  stream: boolean
  /** Gemini only: did the client ask for events rather than a JSON array? */
  altSse: boolean
  /** The client's own query, with or without the question mark. */
  query: string
}

export interface UpstreamTarget {
  url: string
  /** Lower-case names. A client's header that `passesHeader` lets through replaces one of these. */
  headers: Record<string, string>
}

export interface ModelPage {
  models: string[]
  /** URL of the next page, to be asked with the same headers. */
  next?: string
}

export interface ModelList {
  url: string
  headers: Record<string, string>
  /** Reads one page; throws GatewayError `upstream_invalid` when it is no list of models. */
  parse(body: unknown): ModelPage
}

/** A file of a form that the upstream inside is asked with. */
export interface LocalFile {
  field: string
  filename: string
  contentType: string
  bytes: Buffer
}

export interface LocalRequest {
  format: CallFormat
  verb: 'generate' | 'count-tokens'
  stream: boolean
  /** The JSON body; of a form its text fields by name, a list where one is repeated or ends in `[]`. */
  body: Record<string, unknown>
  files: readonly LocalFile[]
  model: string
  altSse: boolean
  signal: AbortSignal
}

export interface LocalAnswer {
  status: number
  headers: Record<string, string>
  /** Throws an AbortError when the call is aborted. */
  chunks: AsyncIterable<Buffer>
}

/** A WebSocket that an upstream is wanted for. */
export interface SocketCall {
  format: 'realtime' | 'responses'
  /** The model's name at the upstream; empty where the first message will name it. */
  model: string
  /** The client's own query without its key, without the question mark. */
  query: string
}

/** An upstream inside this process, asked instead of the network. */
export interface LocalUpstream {
  readonly models: readonly string[]
  answer(request: LocalRequest): LocalAnswer
  /** The other end of a WebSocket. */
  openSession?(call: SocketCall): FrameSocket
}

/** The code of one family of vendors: where to send a call, how to sign it, what it serves. */
export interface Adaptor {
  /** Channel type; a stable number that other tools store. */
  readonly type: number
  readonly name: string
  /** Empty when a channel of this type must name its own. */
  readonly defaultBaseUrl: string
  /** Formats of the channel's upstream, the preferred chat format first. */
  endpointTypes(channel: ChannelTarget): readonly EndpointType[]
  /**
   * Full URL and headers of one call. Throws GatewayError `channel_misconfigured` for an unusable base
   * URL and `format_not_served` for a call that has no URL at this vendor.
   */
  target(channel: ChannelTarget, call: UpstreamCall): UpstreamTarget
  /**
   * The format in which this vendor takes a call that is no conversation; null where it does not take it
   * at all, whatever endpoint types the channel lists. Absent: as the client sent it, where the endpoint
   * type is listed.
   */
  otherFormat?(format: OtherFormat, channel: ChannelTarget): OtherFormat | 'generate-content' | null
  /**
   * `ws:` or `wss:` URL and headers of a WebSocket. Throws as `target` does. Absent: the vendor has none.
   */
  socketTarget?(channel: ChannelTarget, call: SocketCall): UpstreamTarget
  /** The first GET that lists the vendor's models. */
  modelList(channel: ChannelTarget): ModelList
  /**
   * Where to ask what the channel's account has left, one after the other until one says, with the headers
   * of `modelList`. Absent: the vendor has no such call.
   */
  balanceCalls?(channel: ChannelTarget): readonly BalanceCall[]
  /** Throws `channel_misconfigured` for what the channel's field `other` cannot hold. Absent: it may hold anything. */
  checkOther?(other: string): void
  /** Where this vendor keeps prompts that a call can name (Google's `cachedContents`). Absent: it keeps none. */
  cachedContents?(channel: ChannelTarget): UpstreamTarget
  /** May a client's header (lower-case name) go to this upstream when the call keeps its format? */
  passesHeader(name: string, channel: ChannelTarget, format: CallFormat): boolean
  /** Does this vendor keep requests unless `store` says otherwise? Absent: no, or nothing can be said of it. */
  storesUnasked?(channel: ChannelTarget): boolean
  /** May a streamed chat call carry `stream_options`? */
  takesStreamOptions(channel: ChannelTarget): boolean
  readonly local?: LocalUpstream
}
