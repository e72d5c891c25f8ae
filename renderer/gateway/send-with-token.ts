import type { OperationInput } from '../../preload/contract.ts'
import type { GatewayClient } from './client.ts'
import { collectAnswer, type WholeAnswer } from './collect-answer.ts'

type Input = OperationInput<'desktop.send-with-token'>

interface TokenRequest {
  /** `GET`, `POST` and the like, as the API's document has them. */
  method: string
  /** From the root, such as `/v1/models`. */
  path: string
  /** `sk-…` */
  key: string
  /** JSON. */
  body?: string | undefined
  signal: AbortSignal
}

export interface TokenAnswer {
  status: number
  /** Milliseconds until the whole answer was there. */
  duration: number
  /** Null when it's no text, such as audio. */
  text: string | null
  /** Media type; empty when the answer names none. */
  type: string
  /** Bytes. */
  size: number
}

const isText = (type: string): boolean => /json|^text\/|xml/i.test(type)

/** Calls this gateway as a tool does: with the key of a token, without the session. */
export async function sendWithToken(
  request: TokenRequest,
  client: GatewayClient,
): Promise<TokenAnswer> {
  const since = performance.now()
  const send = client.transport === 'http' ? overHttp : overBridge
  const { status, headers, bytes } = await send(request, client)
  const type = headers['content-type'] ?? ''
  return {
    status,
    duration: performance.now() - since,
    text: isText(type) || bytes.byteLength === 0 ? new TextDecoder().decode(bytes) : null,
    type: type.split(';')[0] ?? '',
    size: bytes.byteLength,
  }
}

async function overHttp({ method, path, key, body, signal }: TokenRequest): Promise<WholeAnswer> {
  const answer = await fetch(path, {
    ...{ method, signal, credentials: 'omit', cache: 'no-store' },
    headers: {
      Authorization: `Bearer ${key}`,
      // Anthropic's wire format asks for it; the others ignore it.
      'anthropic-version': '2023-06-01',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  })
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    bytes: new Uint8Array(await answer.arrayBuffer()),
  }
}

/** The desktop's window has no HTTP: `app://console` serves the console's files alone. */
const overBridge = ({ signal, method, ...rest }: TokenRequest, client: GatewayClient) =>
  new Promise<WholeAnswer>((resolve, reject) => {
    const input = { ...rest, method: method as Input['method'] }
    const cancel = client.stream(
      'desktop.send-with-token',
      input,
      collectAnswer((end) =>
        'answer' in end ? resolve(end.answer) : reject(new Error(end.broken)),
      ),
    )
    signal.addEventListener('abort', () => {
      cancel()
      reject(signal.reason)
    })
  })
