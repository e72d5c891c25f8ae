import { request as httpRequest, type IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'

/** A refused upgrade, as its client sees it. */
export interface RefusedUpgrade {
  status: number
  headers: IncomingMessage['headers']
  text: string
  json: { error: { message: string; type: string; code: string; param: string | null } }
}

export interface SocketClient {
  raw: WebSocket
  /** Headers of the answer with 101. */
  headers: IncomingMessage['headers']
  /** Messages as they came, in order. */
  frames: { data: Buffer; isBinary: boolean }[]
  /** Sends an object as JSON. */
  say(event: object): void
  /** The messages as JSON, once there are this many. */
  heard<Event = Record<string, unknown>>(count: number): Promise<Event[]>
  /** The first message of this type, once it is there. */
  event<Event = Record<string, unknown>>(type: string): Promise<Event>
  ended: Promise<{ code: number; reason: string }>
}

interface ConnectOptions {
  protocols?: string[]
  headers?: Record<string, string>
}

const jsonOf = ({ data }: { data: Buffer }) => JSON.parse(data.toString('utf8'))

async function until<Value>(find: () => Value | undefined): Promise<Value> {
  for (let tries = 0; tries < 1600; tries++) {
    const found = find()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('What was waited for has not come.')
}

/** Connects to a path of the gateway; throws where the upgrade is refused. */
export async function connectSocket(
  gatewayUrl: string,
  path: string,
  { protocols = [], headers = {} }: ConnectOptions = {},
): Promise<SocketClient> {
  const raw = new WebSocket(gatewayUrl.replace('http', 'ws') + path, protocols, { headers })
  const frames: SocketClient['frames'] = []
  raw.on('message', (data: Buffer, isBinary) => frames.push({ data, isBinary }))
  const ended = new Promise<{ code: number; reason: string }>((resolve) => {
    raw.on('close', (code, reason) => resolve({ code, reason: String(reason) }))
  })
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    raw.on('upgrade', resolve)
    raw.on('error', reject)
  })
  await until(() => raw.readyState === WebSocket.OPEN || undefined)
  return {
    raw,
    headers: answer.headers,
    frames,
    ended,
    say: (event) => raw.send(JSON.stringify(event)),
    async heard(count) {
      await until(() => frames.length >= count || undefined)
      return frames.map(jsonOf)
    },
    event: (type) =>
      until(() =>
        frames
          .filter(({ isBinary }) => !isBinary)
          .map(jsonOf)
          .find((one) => one.type === type),
      ),
  }
}

/** Asks for an upgrade that must be refused; throws if it is made. */
export function refusedUpgrade(
  gatewayUrl: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<RefusedUpgrade> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(gatewayUrl + path, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.alloc(16, 7).toString('base64'),
        ...headers,
      },
    })
    request.on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('The upgrade was made.'))
    })
    request.on('response', async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text,
        json: text.startsWith('{') ? JSON.parse(text) : {},
      })
    })
    request.on('error', reject)
    request.end()
  })
}
