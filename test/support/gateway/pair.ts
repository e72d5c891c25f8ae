import { request } from 'undici'
import type { WireFormat } from '../../../main/convert/exchange.ts'
import type { GatewayOptions } from '../../../main/gateway.ts'
import type { StoredCall } from '../../../main/store/ledger/ledger.ts'
import type { ChannelFields } from '../../../main/store/records/channels.ts'
import {
  type Handler,
  type ScriptedUpstream,
  startUpstream,
} from '../upstreams/scripted-upstream.ts'
import { startTestGateway, type TestGateway } from './start-test-gateway.ts'

/** An answer read to its end. */
export interface Whole {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
  text: string
  /** The body read as JSON, as its test knows it. */
  json<T = Record<string, never>>(): T
  /** The id that the gateway gave the request. */
  id: string
}

export interface SendOptions {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS'
  headers?: Record<string, string>
  /** An object is sent as JSON. */
  body?: string | Buffer | object
  /** Send no key: the test brings its own carrier, or none. */
  withoutKey?: boolean
  signal?: AbortSignal
}

/** A gateway in front of one scripted vendor that it knows under three channels, one a format. */
export interface Pair {
  gateway: TestGateway
  upstream: ScriptedUpstream
  /** A plain HTTP client; what the connection breaks off is an error here. */
  send(path: string, options?: SendOptions): Promise<Whole>
  /** The ledger's rows of one request. */
  rowsOf(answer: { id: string } | string): StoredCall[]
  /** The one row of the next call that is booked after `run` began. */
  rowAfter(run: () => Promise<unknown>): Promise<StoredCall>
  addChannelOf(
    format: WireFormat,
    fields?: Partial<ChannelFields>,
  ): ReturnType<TestGateway['addChannel']>
  close(): Promise<void>
}

/** Channel types that speak each format. */
const types: Readonly<Record<WireFormat, number>> = {
  chat: 1,
  responses: 1,
  messages: 14,
  'generate-content': 24,
}

export const modelOf: Readonly<Record<WireFormat, string>> = {
  chat: 'chat-model',
  responses: 'responses-model',
  messages: 'messages-model',
  'generate-content': 'gemini-model',
}

/** Starts both; `empty` leaves the gateway without channels. */
export async function startPair(
  options: { handler?: Handler; empty?: boolean; gateway?: Partial<GatewayOptions> } = {},
): Promise<Pair> {
  const upstream = await startUpstream(options.handler)
  const gateway = await startTestGateway(options.gateway)
  const addChannelOf: Pair['addChannelOf'] = (format, fields) =>
    gateway.addChannel({
      type: types[format],
      name: `${format} vendor`,
      baseUrl: upstream.url,
      models: [modelOf[format]],
      ...fields,
    })
  if (!options.empty) {
    for (const format of ['chat', 'messages', 'generate-content'] as const) addChannelOf(format)
  }
  const rowsOf: Pair['rowsOf'] = (answer) =>
    gateway.parts.ledger.list(
      { requestId: typeof answer === 'string' ? answer : answer.id },
      { page: 1, pageSize: 100 },
    ).items
  return {
    gateway,
    upstream,
    addChannelOf,
    rowsOf,
    async send(path, { method = 'POST', headers = {}, body, withoutKey, signal } = {}) {
      const isPlain = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
      const answer = await request(gateway.url + path, {
        method,
        headers: {
          ...(withoutKey ? {} : { authorization: `Bearer ${gateway.key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: isPlain ? body : JSON.stringify(body),
        signal,
      })
      const bytes = Buffer.from(await answer.body.arrayBuffer())
      return {
        status: answer.statusCode,
        headers: answer.headers,
        bytes,
        text: bytes.toString(),
        json: () => JSON.parse(bytes.toString()),
        id: String(answer.headers['x-oneapi-request-id'] ?? ''),
      }
    },
    async rowAfter(run) {
      const before = gateway.rows().length
      await run()
      const rows = await gateway.rowsWhen(before + 1)
      const row = rows[0]
      if (!row || rows.length !== before + 1) {
        throw new Error(`${rows.length - before} rows were written instead of one.`)
      }
      return row
    },
    async close() {
      await Promise.all([gateway.close(), upstream.close()])
    },
  }
}
