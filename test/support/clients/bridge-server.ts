import { GatewayError } from '../../../main/base/errors.ts'
import type { CallFormat } from '../../../main/convert/call-format.ts'
import type { Codec } from '../../../main/convert/codec.ts'
import type { Usage } from '../../../main/convert/exchange.ts'
import { JsonFields } from '../../../main/convert/json/json-fields.ts'
import { Loss, type LossEntry } from '../../../main/convert/loss.ts'
import type { BridgeRequest, FormatBridge } from '../../../main/convert/other/bridge.ts'
import { eventsOf } from '../strict/loops/through.ts'
import {
  type RecordedRequest,
  type Reply,
  type ScriptedUpstream,
  startUpstream,
} from '../upstreams/scripted-upstream.ts'
import { readForm } from './read-form.ts'

/** A vendor's answer: a whole body, or a stream's text or bytes. */
export interface VendorAnswer {
  whole: Buffer | object
  chunks: readonly (string | Buffer)[]
}

/** A format bridge, put between an SDK and a vendor as the relay puts it, over HTTP. */
export interface BridgeServer extends ScriptedUpstream {
  /** Losses of the newest call. */
  losses: readonly LossEntry[]
  usage: Usage | null
  /** The bodies that the vendor was asked with, over all calls. */
  asked: Record<string, unknown>[]
}

interface BridgeServerOptions {
  codec: Codec
  bridges: readonly FormatBridge[]
  /** The model's name at the vendor. */
  model: string
  settings?: Record<string, unknown>
  answer(body: Record<string, unknown>, index: number): VendorAnswer
}

async function readRequest(request: RecordedRequest, codec: Codec): Promise<BridgeRequest> {
  const format: CallFormat = codec.format
  const type = String(request.headers['content-type'])
  const stream = /[?&]alt=sse|:streamGenerateContent/.test(request.url)
  if (!type.includes('form-data')) {
    const fields = new JsonFields(request.body)
    codec.checkRequest(fields, {})
    const body = fields.parse()
    const asArray = stream && !request.url.includes('alt=sse')
    const streams = stream || body.stream === true
    return { format, model: String(body.model), stream: streams, asArray, body, files: [] }
  }
  const { fields, files } = await readForm(request)
  codec.form?.check(fields)
  const body = Object.fromEntries(
    Object.entries(fields).map(([name, values]) => [
      name,
      values.length > 1 || name.endsWith('[]') ? values : values[0],
    ]),
  )
  return { format, model: String(body.model), stream: body.stream === 'true', body, files }
}

/** Serves the bridges of one client's format. A refusal comes as a 400 in the codec's own shape. */
export async function startBridge(options: BridgeServerOptions): Promise<BridgeServer> {
  const { codec, bridges, model, settings = {}, answer } = options
  const bridge = bridges.find(({ from }) => from === codec.format)
  if (!bridge) throw new Error(`no bridge from ${codec.format}`)

  async function serve(incoming: RecordedRequest): Promise<Reply> {
    const request = await readRequest(incoming, codec)
    const loss = new Loss()
    const target = { model, loss, settings }
    server.losses = loss.entries
    const bodies = (bridge as FormatBridge).encode(request, target).map((body) => {
      const text = Array.isArray(body) ? Buffer.concat(body).toString() : JSON.stringify(body)
      return JSON.parse(text) as Record<string, unknown>
    })
    const answers = bodies.map((body) => answer(body, server.asked.push(body) - 1))
    const stream = bridge?.streams?.(request) ? bridge.createStream?.(request, target) : undefined
    if (!stream) {
      const wholes = answers.map(({ whole }) =>
        Buffer.isBuffer(whole) ? whole : Buffer.from(JSON.stringify(whole)),
      )
      const { body, contentType, usage } = (bridge as FormatBridge).decode(wholes, request, target)
      server.usage = usage
      return { body, headers: { 'content-type': contentType } }
    }
    const chunks = (answers[0]?.chunks ?? []).flatMap((chunk) =>
      typeof chunk === 'string'
        ? eventsOf(chunk).map((event) => stream.onEvent(event))
        : [stream.onBytes(chunk)],
    )
    chunks.push(stream.end())
    server.usage = stream.usage
    return { chunks, headers: { 'content-type': stream.contentType } }
  }

  const upstream = await startUpstream(async (incoming) => {
    try {
      return await serve(incoming)
    } catch (error) {
      // Mostly what a strict vendor has against the body: the test that fails shows it.
      if (!(error instanceof GatewayError)) return { status: 500, body: String(error) }
      return { status: error.status, body: codec.encodeError(error, 'call') }
    }
  })
  const server: BridgeServer = Object.assign(upstream, { losses: [], usage: null, asked: [] })
  return server
}
