import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

/** One request as it came over a connection, and the bare connection to answer it on. */
export interface RawExchange {
  /** Path and query. */
  url: string
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** How many requests came over this connection before. */
  index: number
  socket: Socket
  /** Resolves when what was written is taken, or nobody is left to take it (false). */
  write(bytes: string | Buffer): Promise<boolean>
  /** The answer is out; the connection may carry another request. */
  done(): void
}

export interface RawUpstream {
  /** `http://127.0.0.1:<port>`, or https; no slash at the end. */
  url: string
  /** Connections that are open now. */
  open(): number
  /** Those of them with a request that is not answered. */
  busy(): number
  close(): Promise<void>
}

type Handler = (exchange: RawExchange) => void | Promise<void>

const TLS_HANDSHAKE = 0x16
const HEAD_END = '\r\n\r\n'

/** The connection as a sequence of requests with a content-length, or none, each answered before the next is read. */
class Connection {
  readonly #socket: Socket
  readonly #handler: Handler
  #received: Buffer = Buffer.alloc(0)
  #count = 0
  isBusy = false

  constructor(socket: Socket, handler: Handler) {
    this.#socket = socket
    this.#handler = handler
    socket.on('data', (chunk) => {
      // An HTTP server answers the first bytes of TLS like this.
      if (this.#count === 0 && chunk[0] === TLS_HANDSHAKE) {
        socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n')
        return
      }
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
      this.#next()
    })
  }

  #next(): void {
    if (this.isBusy) return
    const end = this.#received.indexOf(HEAD_END)
    if (end < 0) return
    const [first = '', ...lines] = this.#received.toString('latin1', 0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    const begin = end + HEAD_END.length
    const length = Number(headers['content-length'] ?? 0)
    if (this.#received.length < begin + length) return
    const body = this.#received.subarray(begin, begin + length)
    this.#received = this.#received.subarray(begin + length)
    this.isBusy = true
    const exchange: RawExchange = {
      url: first.split(' ')[1] ?? '',
      headers,
      body,
      index: this.#count++,
      socket: this.#socket,
      write: (bytes) => this.#write(bytes),
      done: () => {
        this.isBusy = false
        this.#next()
      },
    }
    // A connection that breaks while it is written to is what many faults are about.
    void (async () => this.#handler(exchange))().catch(() => this.#socket.destroy())
  }

  async #write(bytes: string | Buffer): Promise<boolean> {
    if (this.#socket.destroyed) return false
    if (this.#socket.write(bytes)) return true
    await new Promise<void>((resolve) => {
      const go = () => {
        this.#socket.off('drain', go).off('close', go)
        resolve()
      }
      this.#socket.on('drain', go).on('close', go)
    })
    return !this.#socket.destroyed
  }
}

/** A vendor on a free port of 127.0.0.1 whose handler writes every byte; with TLS if a certificate is given. */
export async function startRawUpstream(
  handler: Handler,
  certificate?: { key: string; cert: string },
): Promise<RawUpstream> {
  const connections = new Map<Socket, Connection>()
  const onConnection = (socket: Socket) => {
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    connections.set(socket, new Connection(socket, handler))
    socket.on('close', () => connections.delete(socket))
  }
  const server: Server = certificate
    ? createTlsServer(certificate, onConnection).on('tlsClientError', () => {})
    : createServer(onConnection)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
    open: () => connections.size,
    busy: () => [...connections.values()].filter(({ isBusy }) => isBusy).length,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of connections.keys()) socket.destroy()
      await closed
    },
  }
}
