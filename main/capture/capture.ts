import type { Reason } from '../base/reason.ts'

/** Bytes that crossed a border, in the pieces in which they came. */
export interface CapturedBody {
  /** By reference; together the body, or its beginning where it was cut at the cap. */
  chunks: readonly Buffer[]
  /** The same bytes in fewer pieces, if they lie so in memory. */
  joined?: JoinedChunks | undefined
  /** Milliseconds from the call's arrival to each chunk; empty for a body that came in one go. */
  times: readonly number[]
  /** Bytes that crossed the border; more than the chunks hold where the body was cut at the cap. */
  size: number
}

/** Chunks, some of them behind one another in one piece of memory. */
export interface JoinedChunks {
  pieces: readonly Buffer[]
  /** Bytes of each chunk. */
  lengths: readonly number[]
}

/** A file of a form: never its bytes. */
export interface CapturedFile {
  /** The form's field. */
  field: string
  name: string
  type: string
  size: number
  /** SHA-256, hex. */
  digest: string
}

/** Names as they were sent; a header that was sent twice stands there twice. */
export type CapturedHeaders = readonly (readonly [name: string, value: string])[]

export interface CapturedRequest {
  /** Milliseconds from the call's arrival. */
  at: number
  method: string
  /** From the client its path and query, for an upstream the whole URL; a key in it is replaced. */
  url: string
  headers: CapturedHeaders
  body: CapturedBody
  /** Files of a form; its body then holds the other fields, as JSON. */
  files?: readonly CapturedFile[]
}

export interface CapturedAnswer {
  /** Milliseconds from the call's arrival to the head. */
  at: number
  status: number
  headers: CapturedHeaders
  body: CapturedBody
  /** Milliseconds from the call's arrival to the end; null where the process ended before. */
  endedAt: number | null
  /** It ended before it was whole, or its reader left. */
  isCut: boolean
}

/** One request to an upstream and its answer. */
export interface CapturedExchange {
  channelId: number
  channelName: string
  /** The model's name there. */
  model: string
  /** Wire format that the upstream was called in. */
  format: string
  /** Milliseconds from the call's arrival to the connection; null where there was none. */
  connectedAt: number | null
  /** Milliseconds from the call’s arrival until all of the request was on its way; older captures have none. */
  sentAt?: number | null
  request: CapturedRequest
  /** Null where no answer began. */
  answer: CapturedAnswer | null
  /** Why no answer began. */
  failure: CapturedFailure | null
}

export interface CapturedFailure {
  code: string
  message: string
  /** The message by code; left out where it's an upstream's or the system's own. */
  reason?: Reason
}

/** One message of a WebSocket session. */
export interface CapturedFrame {
  /** Milliseconds from the session's start. */
  at: number
  /** `in`: the gateway was sent it; `out`: it sent it. */
  border: 'client-in' | 'client-out' | 'upstream-in' | 'upstream-out'
  isBinary: boolean
  data: Buffer
}

/** One call's four borders. Keys, cookies and signatures are removed from the headers. */
export interface Capture {
  /** The call's request id, as its row in the ledger has it. */
  id: string
  /** Milliseconds since 1970. */
  receivedAt: number
  userId: number
  tokenId: number
  /** The client's wire format; empty for a request that was refused before it was known. */
  format: string
  /** The model's name as the client asked for it; empty where it is not known. */
  model: string
  /** The client's side; `answer` is null if none began. */
  client: { request: CapturedRequest; answer: CapturedAnswer | null }
  /** In the order in which they were made. */
  exchanges: readonly CapturedExchange[]
  /** Messages of a WebSocket session. */
  frames?: readonly CapturedFrame[]
  /** Where it was read from. */
  source: 'memory' | 'disk'
}
