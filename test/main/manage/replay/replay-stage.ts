import { onTestFinished } from 'vitest'
import type { CapturedBody } from '../../../../main/capture/capture.ts'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import type { StoredCall } from '../../../../main/store/ledger/ledger.ts'
import type { ChannelFields } from '../../../../main/store/records/channels.ts'
import {
  formatOfRequest,
  isStreamRequest,
  recordedAnswers,
  vendorOf,
} from '../../../support/upstreams/recorded-vendor.ts'
import {
  type RecordedRequest,
  type Reply,
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'
import { type Management, startManagement, type Visitor } from '../management.ts'

function replyTo(request: RecordedRequest): Reply {
  const { whole, stream } = recordedAnswers[formatOfRequest(request)]
  return isStreamRequest(request)
    ? { headers: { 'content-type': 'text/event-stream' }, chunks: [stream] }
    : { headers: { 'content-type': 'application/json' }, body: whole }
}

/** A call of each format, as its client makes it. */
export const callOf: Readonly<
  Record<WireFormat, (model: string, stream: boolean) => { path: string; body: object }>
> = {
  chat: (model, stream) => ({
    path: '/v1/chat/completions',
    body: { model, stream, seed: 7, messages: [{ role: 'user', content: 'Größe? "quoted"' }] },
  }),
  messages: (model, stream) => ({
    path: '/v1/messages?beta=true',
    body: {
      ...{ model, stream, max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 2000 } },
      messages: [{ role: 'user', content: 'Größe?' }],
    },
  }),
  'generate-content': (model, stream) => ({
    path: `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: { contents: [{ role: 'user', parts: [{ text: 'Größe?' }] }] },
  }),
  responses: (model, stream) => ({
    path: '/v1/responses',
    body: { model, stream, input: 'Größe?' },
  }),
}

/** An answer read to its end. */
export interface Answered {
  status: number
  headers: Headers
  text: string
  /** Request id. */
  id: string
}

export interface ReplayStage extends Management {
  upstream: ScriptedUpstream
  /** A vendor of this format, whose model is `to-<format>` unless the fields say otherwise. */
  addVendor(format: WireFormat, fields?: Partial<ChannelFields>): { id: number }
  /** A client's call with a token. */
  ask(path: string, body: unknown, headers?: Record<string, string>): Promise<Answered>
  replay(input: Record<string, unknown>, who?: Visitor): Promise<Answered>
  rowOf(id: string): StoredCall
}

const readAnswer = async (response: Response): Promise<Answered> => ({
  status: response.status,
  headers: response.headers,
  text: await response.text(),
  id: response.headers.get('x-oneapi-request-id') ?? '',
})

/** A gateway with an owner, a token, and a vendor that speaks all formats. */
export async function startReplays(): Promise<ReplayStage> {
  const [management, upstream] = await Promise.all([startManagement(), startUpstream(replyTo)])
  onTestFinished(() => upstream.close())
  const { gateway, owner } = management
  const { parts } = gateway
  const token = parts.tokens.create({ userId: 1, name: 'Client', unlimitedQuota: true })
  return {
    ...management,
    upstream,
    addVendor(format, fields) {
      const { type, endpoint } = vendorOf[format]
      return parts.channels.create({
        ...{ type, name: `${format} vendor`, key: 'vendor-key', baseUrl: upstream.url },
        ...{ models: [`to-${format}`], groups: ['default'] },
        settings: { endpoint_types: [endpoint] },
        ...fields,
      })
    },
    async ask(path, body, headers = {}) {
      const response = await fetch(gateway.url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer sk-${token.key}`,
          'content-type': 'application/json',
          'anthropic-version': '2023-06-01',
          ...headers,
        },
        body: body instanceof FormData || typeof body === 'string' ? body : JSON.stringify(body),
      })
      return readAnswer(response)
    },
    async replay(input, who = owner) {
      const response = await fetch(`${gateway.url}/api/replays`, {
        method: 'POST',
        headers: { cookie: who.cookie, 'content-type': 'application/json' },
        body: JSON.stringify(input),
      })
      return readAnswer(response)
    },
    rowOf(id) {
      const { items } = parts.ledger.list({ requestId: id }, { page: 1, pageSize: 10 })
      if (!items[0]) throw new Error(`There is no row of ${id}.`)
      return items[0]
    },
  }
}

export const bytesOf = ({ chunks }: CapturedBody): string => Buffer.concat(chunks).toString()
