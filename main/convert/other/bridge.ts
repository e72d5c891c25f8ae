import type { CallFormat } from '../call-format.ts'
import type { ServerEvent } from '../conversion.ts'
import type { VendorError } from '../events/stream-scanner.ts'
import type { Usage } from '../exchange.ts'
import type { JsonObject } from '../json/json-value.ts'
import type { Loss } from '../loss.ts'

/** A file of a form, as its client sent it. */
export interface BridgeFile {
  /** The form's field: `file`, `image`, `image[]`, `mask`. */
  field: string
  filename: string
  /** As the part says; `application/octet-stream` where it says nothing. */
  contentType: string
  bytes: Buffer
}

/** A client's call that an upstream of another format is to serve. */
export interface BridgeRequest {
  /** The client's format. */
  format: CallFormat
  /** The model as the client asked for it. */
  model: string
  stream: boolean
  /** Gemini without `alt=sse`: the stream is one JSON array. */
  asArray?: boolean
  /** The JSON body; of a form its text fields by name, a list where one is repeated or ends in `[]`. */
  body: JsonObject
  /** Files of a form, in its order. */
  files: readonly BridgeFile[]
}

/** The upstream that a call is converted for. */
export interface BridgeTarget {
  /** The model's name there. */
  model: string
  /** Anything that does not fit is noted here, or refused (`loss.refuse`). */
  loss: Loss
  /** The channel's settings. */
  settings: Readonly<JsonObject>
  /** Does the vendor keep requests unless `store` says otherwise? */
  storesUnasked?: boolean
}

/** The client's answer. */
export interface BridgeAnswer {
  body: Buffer
  contentType: string
  /** Null where the vendor told none. */
  usage: Usage | null
}

/**
 * An upstream's stream on its way to a client of another format. Pure; its driver feeds `onEvent`
 * from an event stream and `onBytes` from any other body.
 */
export interface BridgeStream {
  /** Content type of the client's stream. */
  readonly contentType: string
  /** Bytes for the client, empty when nothing is to be sent yet. Throws `upstream_invalid`. */
  onEvent(event: ServerEvent): Buffer
  onBytes(chunk: Buffer): Buffer
  /** The upstream's body has ended: the client's last bytes. Throws `upstream_cut` where the answer is not whole. */
  end(): Buffer
  /** Something of the answer has been seen. */
  readonly hasBegun: boolean
  /** An error that the vendor sent inside. */
  readonly error: VendorError | null
  readonly usage: Usage | null
}

/** How a call of one format reaches an upstream of another; a class of calls that is no conversation. */
export interface FormatBridge {
  readonly from: CallFormat
  readonly to: CallFormat
  /**
   * The upstream's bodies, mostly one; several where the vendor takes less at once, or one thing a call.
   * A body is JSON, or its bytes in pieces where a file stands in it. Throws `invalid_request` naming the
   * client's field for what the upstream cannot do.
   */
  encode(request: BridgeRequest, target: BridgeTarget): readonly (JsonObject | readonly Buffer[])[]
  /** The client's answer, out of the upstream's whole answers to those bodies, in their order. Throws `upstream_invalid`. */
  decode(answers: readonly Buffer[], request: BridgeRequest, target: BridgeTarget): BridgeAnswer
  /** Is the upstream asked for a stream? Absent: never. */
  streams?(request: BridgeRequest): boolean
  /** The way back of a stream, one for each call that streams. */
  createStream?(request: BridgeRequest, target: BridgeTarget): BridgeStream
}
