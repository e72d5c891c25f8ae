import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** One message as it came. */
export interface HeardFrame {
  data: Buffer
  isBinary: boolean
}

/** A session that the upstream has accepted. */
export interface HeardSession {
  /** Path and query as they came. */
  url: string
  headers: IncomingMessage['headers']
  frames: HeardFrame[]
  /** For whatever a test wants of it: send, close, pause, break off. */
  socket: WebSocket
  /** How it ended. */
  ended: Promise<{ code: number; reason: string }>
  /** Resolves when this many messages have come. */
  heard(count: number): Promise<HeardFrame[]>
}

/** The answer to an upgrade in place of 101. */
export interface Refusal {
  status: number
  body: string | object
  headers?: Record<string, string>
}

export interface SocketUpstream {
  /** `http://127.0.0.1:<port>`, as a channel's base URL. */
  url: string
  sessions: HeardSession[]
  /** Heads of all upgrades, refused ones too. */
  upgrades: Pick<IncomingMessage, 'url' | 'headers'>[]
  /** The newest session, once there is this many. */
  session(count?: number): Promise<HeardSession>
  /** The next upgrades are answered with these, one each; `hang` never. */
  refuse(...refusals: (Refusal | 'hang')[]): void
  /** Connections that are open. */
  open(): number
  close(): Promise<void>
}

export interface SocketUpstreamOptions {
  onSession?(session: HeardSession): void
  onFrame?(frame: HeardFrame, session: HeardSession): void
  /** Headers of the answer to an upgrade. */
  headers?: Record<string, string>
}

async function until(isThere: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1000 && !isThere(); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  if (!isThere()) throw new Error('What was waited for has not come.')
}

function hear(socket: WebSocket, request: IncomingMessage): HeardSession {
  const frames: HeardFrame[] = []
  return {
    url: request.url ?? '',
    headers: request.headers,
    frames,
    socket,
    ended: new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }))
    }),
    async heard(count) {
      await until(() => frames.length >= count)
      return frames
    },
  }
}

/** A vendor of WebSockets on a free port of 127.0.0.1: it records what it hears, and says what it is told. */
export async function startSocketUpstream(
  options: SocketUpstreamOptions = {},
): Promise<SocketUpstream> {
  const sessions: HeardSession[] = []
  const upgrades: SocketUpstream['upgrades'] = []
  const refusals: (Refusal | 'hang')[] = []
  const connections = new Set<Socket>()
  const server = createServer((_request, response) => response.writeHead(404).end())
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
  })
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  sockets.on('headers', (lines) => {
    for (const [name, value] of Object.entries(options.headers ?? {})) {
      lines.push(`${name}: ${value}`)
    }
  })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {})
    upgrades.push({ url: request.url, headers: request.headers })
    const refusal = refusals.shift()
    // Only a socket that reads notices that the other side has gone; Node leaves its own side open then.
    if (refusal) socket.on('end', () => socket.end()).resume()
    if (refusal === 'hang') return
    if (refusal) {
      const isText = typeof refusal.body === 'string'
      const body = isText ? String(refusal.body) : JSON.stringify(refusal.body)
      const headers = {
        'content-type': isText ? 'text/plain' : 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        connection: 'close',
        ...refusal.headers,
      }
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.end(`HTTP/1.1 ${refusal.status} Refused\r\n${lines.join('')}\r\n${body}`)
      return
    }
    sockets.handleUpgrade(request, socket, head, (raw) => {
      const session = hear(raw, request)
      raw.on('message', (data: Buffer, isBinary) => {
        const frame = { data, isBinary }
        session.frames.push(frame)
        options.onFrame?.(frame, session)
      })
      raw.on('error', () => {})
      sessions.push(session)
      options.onSession?.(session)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    upgrades,
    async session(count = 1) {
      await until(() => sessions.length >= count)
      return sessions[count - 1] as HeardSession
    },
    refuse: (...more) => void refusals.push(...more),
    open: () => connections.size,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of connections) socket.destroy()
      await closed
    },
  }
}
