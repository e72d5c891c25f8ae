import { request } from 'undici'
import type {
  Capture,
  CapturedAnswer,
  CapturedBody,
  CapturedExchange,
  CapturedHeaders,
} from '../../../main/capture/capture.ts'
import type { WireFormat } from '../../../main/convert/exchange.ts'
import type { RunningGateway } from '../../../main/gateway.ts'
import type { Pair } from '../gateway/pair.ts'
import type { RecordedRequest, Reply } from '../upstreams/scripted-upstream.ts'

/** A call to be made and captured. */
export interface AskedCall {
  /** The client's format. */
  format: WireFormat
  path: string
  body: string | Buffer | object
  headers?: Record<string, string>
  model: string
  /** The upstream's format, and its answers: one for each attempt. */
  upstream: WireFormat
  replies: readonly Reply[]
}

/** Headers as pairs, without keys, as they come after the recorder has seen them. */
const shown = (headers: Iterable<[string, string | string[] | undefined]>): CapturedHeaders =>
  [...headers].flatMap(([name, value]) =>
    value === undefined || /authorization|api-key|cookie/i.test(name)
      ? []
      : [value].flat().map((one) => [name, one] as const),
  )

function rawPairs(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index < raw.length; index += 2) {
    pairs.push([raw[index] as string, raw[index + 1] as string])
  }
  return pairs
}

const whole = (bytes: Buffer): CapturedBody => ({ chunks: [bytes], times: [], size: bytes.length })

const textOf = (body: string | Buffer | object): string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)

/** A scripted answer as the upstream sent it; its chunks are ten milliseconds apart. */
function sentAnswer(reply: Reply, at: number): CapturedAnswer {
  const pieces = (reply.chunks ?? [textOf(reply.body ?? '')]).map((piece) => Buffer.from(piece))
  const times = reply.chunks ? pieces.map((_, index) => at + index * 10) : []
  return {
    at,
    status: reply.status ?? 200,
    headers: [['content-type', reply.chunks ? 'text/event-stream' : 'application/json']],
    body: { chunks: pieces, times, size: Buffer.concat(pieces).length },
    endedAt: at + pieces.length * 10,
    isCut: reply.ending === 'cut',
  }
}

const exchangeOf = (
  { method, url, rawHeaders, body }: RecordedRequest,
  reply: Reply,
  { upstream, model }: AskedCall,
  base: string,
): CapturedExchange => ({
  channelId: 1,
  channelName: `${upstream} vendor`,
  model,
  format: upstream,
  connectedAt: 1,
  request: {
    at: 2,
    method,
    url: base + url,
    headers: shown(rawPairs(rawHeaders)),
    body: whole(body),
  },
  answer: sentAnswer(reply, 5),
  failure: null,
})

/**
 * Makes a call through the gateway and captures it from outside: the client's side as this client sees it, the
 * upstream's as the scripted one does.
 */
export async function captureCall(pair: Pair, asked: AskedCall): Promise<Capture> {
  const { gateway, upstream } = pair
  const before = upstream.requests.length
  upstream.script(...asked.replies)
  const headers = {
    'content-type': 'application/json',
    ...(asked.format === 'messages' ? { 'anthropic-version': '2023-06-01' } : {}),
    ...asked.headers,
  }
  const body = Buffer.from(textOf(asked.body))
  const start = performance.now()
  const answer = await request(gateway.url + asked.path, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${gateway.key}` },
    body,
  })
  const at = performance.now() - start
  const chunks: Buffer[] = []
  const times: number[] = []
  for await (const chunk of answer.body) {
    chunks.push(chunk)
    times.push(performance.now() - start)
  }
  return {
    id: String(answer.headers['x-oneapi-request-id']),
    receivedAt: Date.now(),
    userId: 1,
    tokenId: 1,
    format: asked.format,
    model: asked.model,
    client: {
      request: {
        at: 0,
        method: 'POST',
        url: asked.path,
        headers: shown(Object.entries(headers)),
        body: whole(body),
      },
      answer: {
        at,
        status: answer.statusCode,
        headers: shown(Object.entries(answer.headers)),
        body: { chunks, times, size: Buffer.concat(chunks).length },
        endedAt: performance.now() - start,
        isCut: false,
      },
    },
    exchanges: upstream.requests
      .slice(before)
      .map((sent, index) => exchangeOf(sent, asked.replies[index] ?? {}, asked, upstream.url)),
    source: 'memory',
  }
}

/** Has a gateway find these captures. */
export function keepCaptures(
  { gateway }: { gateway: Pick<RunningGateway, 'parts'> },
  captures: readonly Capture[],
): void {
  const byId = new Map(captures.map((capture) => [capture.id, capture]))
  Object.assign(gateway.parts.captures, {
    find: (id: string) => byId.get(id) ?? null,
    has: (ids: readonly string[]) => new Set(ids.filter((id) => byId.has(id))),
  })
}
