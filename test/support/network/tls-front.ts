import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createServer } from 'node:tls'

/** A server of TLS on a free port of 127.0.0.1 that hands what it hears to a plain one. */
export interface TlsFront {
  /** `https://127.0.0.1:<port>` */
  url: string
  port: number
  /** Connections whose TLS was set up. */
  connections: number
  /** Those of them that took an earlier session up again. */
  resumed: number
  close(): Promise<void>
}

export async function startTlsFront(
  plainUrl: string,
  certificate: { key: string; cert: string },
): Promise<TlsFront> {
  const sockets = new Set<Socket>()
  const server = createServer(certificate, (socket) => {
    front.connections++
    if (socket.isSessionReused()) front.resumed++
    const plain = connect(Number(new URL(plainUrl).port), '127.0.0.1')
    for (const [one, other] of [
      [socket, plain],
      [plain, socket],
    ] as const) {
      sockets.add(one)
      one.on('error', () => one.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  }).on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const front: TlsFront = {
    url: `https://127.0.0.1:${port}`,
    port,
    connections: 0,
    resumed: 0,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
  return front
}
