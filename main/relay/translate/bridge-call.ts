import type { CallFormat } from '../../convert/call-format.ts'
import { Loss } from '../../convert/loss.ts'
import type { Way, WayAnswer, WayRequest } from '../../convert/other/bridge.ts'
import type { Call } from '../call/call.ts'
import { WayScanner } from './bridge-scanner.ts'

/** Where a call that is no conversation is to go. */
interface Destination {
  /** The model's name at the upstream. */
  model: string
  settings: Readonly<Record<string, unknown>>
}

const requests = new WeakMap<Call, Promise<WayRequest>>()

/** Text fields as the body of a JSON call would hold them: a list only where there are several. */
function bodyOf(fields: Readonly<Record<string, readonly string[]>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, values]) => [
      name,
      values.length > 1 || name.endsWith('[]') ? values : values[0],
    ]),
  )
}

async function readRequest(call: Call): Promise<WayRequest> {
  const { format, model, form, stream, asArray } = call
  if (!form) return { format, model, stream, asArray, body: call.body.parse(), files: [] }
  // While its client is still sending nobody else hears of the call's end.
  call.cancellation.listen(() => void form.close())
  const { fields, files } = await form.whole()
  const read = files.map(async (file) => {
    const { field, filename, contentType } = file
    return { field, filename, contentType, bytes: await file.bytes() }
  })
  const body = bodyOf(fields)
  return {
    format,
    model,
    stream: /^true$/i.test(String(body.stream)),
    asArray,
    body,
    files: await Promise.all(read),
  }
}

/** A call that is no conversation as a whole, its files included; read once, however many channels are tried. */
export function wayRequest(call: Call): Promise<WayRequest> {
  let request = requests.get(call)
  if (!request) {
    request = readRequest(call)
    requests.set(call, request)
  }
  return request
}

/** A call that is no conversation whose upstream takes another format: the way there and the way back. */
export class WayCall {
  readonly format: CallFormat
  readonly loss = new Loss()
  /** The upstream's bodies, to be sent in any order. */
  readonly bodies: readonly (Buffer | readonly Buffer[])[]
  /** Is the upstream asked for a stream? Then there is one body. */
  readonly streams: boolean
  readonly #way: Way
  readonly #request: WayRequest
  readonly #to: Destination

  /** Throws `invalid_request` for what the upstream cannot do. */
  constructor(way: Way, request: WayRequest, to: Destination) {
    this.#way = way
    this.#request = request
    this.#to = to
    this.format = way.to
    this.streams = way.createStream !== undefined && (way.streams?.(request) ?? false)
    this.bodies = way
      .encode(request, this.#target)
      .map((body) => (isPieces(body) ? body : Buffer.from(JSON.stringify(body))))
  }

  decode(answers: readonly Buffer[]): WayAnswer {
    return this.#way.decode(answers, this.#request, this.#target)
  }

  /** The scanner of a stream, and the type of what it gives out. */
  createScanner(readsEvents: boolean): { scanner: WayScanner; contentType: string } {
    const stream = this.#way.createStream?.(this.#request, this.#target)
    if (!stream) throw new Error(`${this.#way.from} to ${this.format} does not stream`)
    return { scanner: new WayScanner(stream, readsEvents), contentType: stream.contentType }
  }

  get #target() {
    return { ...this.#to, loss: this.loss }
  }
}

const isPieces = (body: unknown): body is readonly Buffer[] => Array.isArray(body)
