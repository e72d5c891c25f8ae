import type { CallFormat } from '../../convert/call-format.ts'
import { Loss } from '../../convert/loss.ts'
import type { BridgeAnswer, BridgeRequest, FormatBridge } from '../../convert/other/bridge.ts'
import { BridgeScanner } from './bridge-scanner.ts'

/** Target of a call that isn't a conversation. */
interface Destination {
  /** The model's name at the upstream. */
  model: string
  settings: Readonly<Record<string, unknown>>
  /** Does it keep requests unless `store` says otherwise? */
  storesUnasked: boolean
}

/** A stream on its way to the client. */
export interface BridgeStream {
  scanner: BridgeScanner
  /** Content type of the scanner's output. */
  contentType: string
}

/** A call that is no conversation whose upstream takes another format: the way there and the way back. */
export class BridgeCall {
  readonly format: CallFormat
  readonly loss = new Loss()
  /** The upstream's bodies, to be sent in any order. */
  readonly bodies: readonly (Buffer | readonly Buffer[])[]
  /** Is the upstream asked for a stream? Then there is one body. */
  readonly streams: boolean
  readonly #bridge: FormatBridge
  readonly #request: BridgeRequest
  readonly #to: Destination

  /** Throws `invalid_request` for what the upstream cannot do. */
  constructor(bridge: FormatBridge, request: BridgeRequest, to: Destination) {
    this.#bridge = bridge
    this.#request = request
    this.#to = to
    this.format = bridge.to
    this.streams = bridge.createStream !== undefined && (bridge.streams?.(request) ?? false)
    this.bodies = bridge
      .encode(request, this.#target)
      .map((body) => (isPieces(body) ? body : Buffer.from(JSON.stringify(body))))
  }

  decode(answers: readonly Buffer[]): BridgeAnswer {
    return this.#bridge.decode(answers, this.#request, this.#target)
  }

  createStream(readsEvents: boolean): BridgeStream {
    const stream = this.#bridge.createStream?.(this.#request, this.#target)
    if (!stream) throw new Error(`${this.#bridge.from} to ${this.format} does not stream`)
    return { scanner: new BridgeScanner(stream, readsEvents), contentType: stream.contentType }
  }

  get #target() {
    return { ...this.#to, loss: this.loss }
  }
}

const isPieces = (body: unknown): body is readonly Buffer[] => Array.isArray(body)
