import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** They ask for the upgrade that is not made. */
const ASKING = new Set(['upgrade', 'http2-settings'])

const withoutAsking = (value: string): string =>
  value
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '' && !ASKING.has(token.toLowerCase()))
    .join(', ')

/** The request's head as it came, without the wish to upgrade. */
function plainHead({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    const value = rawHeaders[index + 1] ?? ''
    if (ASKING.has(name.toLowerCase())) continue
    const kept = name.toLowerCase() === 'connection' ? withoutAsking(value) : value
    if (kept !== '') lines.push(`${name}: ${kept}`)
  }
  // Node reads heads as Latin-1.
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

/**
 * Lets a request be served as the plain one that it is beside its wish to upgrade: Java's and curl's HTTP/2
 * clients send `Upgrade: h2c` with ordinary calls, and a server may pass over it (RFC 9110 §7.8). Node has
 * taken its parser off the connection by then, so that the connection is given to the server again.
 */
export function declineUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  socket.unshift(Buffer.concat([plainHead(request), head]))
  server.emit('connection', socket)
}
