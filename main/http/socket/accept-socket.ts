import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { GatewayError } from '../../base/errors.ts'
import {
  type FrameSocket,
  SOCKET_OPTIONS,
  TOO_LARGE,
  WireSocket,
} from '../../base/net/frame-socket.ts'

/** Says why it closes where ws itself refuses a message for its size. */
class ClientWebSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, reason ?? (code === 1009 ? TOO_LARGE : undefined))
  }
}

/** The only subprotocol that is spoken; the others that browsers offer beside it carry key and beta. */
const REALTIME = 'realtime'

const headersOf = new WeakMap<IncomingMessage, Readonly<Record<string, string | string[]>>>()

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  WebSocket: ClientWebSocket,
  handleProtocols: (offered) => (offered.has(REALTIME) ? REALTIME : false),
  ...SOCKET_OPTIONS,
})
server.on('headers', (lines, request) => {
  for (const [name, value] of Object.entries(headersOf.get(request) ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) lines.push(`${name}: ${one}`)
  }
})
// The caller of `acceptSocket` sees that there is no socket.
server.on('wsClientError', () => {})

/** Throws `invalid_request` for an upgrade that cannot be answered (RFC 6455 §4.2.1). */
export function checkHandshake({ headers }: IncomingMessage): void {
  const key = headers['sec-websocket-key'] ?? ''
  if (!/^[+/0-9A-Za-z]{22}==$/.test(key)) {
    throw new GatewayError('invalid_request', {
      message: 'Sec-WebSocket-Key: must be 16 bytes in base64.',
      reason: { code: 'websocket_key_wrong' },
      field: 'Sec-WebSocket-Key',
    })
  }
  const version = headers['sec-websocket-version']
  if (version !== '13') {
    throw new GatewayError('invalid_request', {
      message: `Sec-WebSocket-Version: must be 13, not ${version ?? 'missing'}.`,
      reason: { code: 'websocket_version_wrong', given: String(version ?? '–') },
      field: 'Sec-WebSocket-Version',
    })
  }
}

/**
 * Answers an upgrade with 101 and these headers. Null where that was not possible any more: the client has
 * gone, or its list of subprotocols cannot be read; then nothing was sent.
 */
export function acceptSocket(
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
  headers: Readonly<Record<string, string | string[]>>,
): FrameSocket | null {
  headersOf.set(request, headers)
  let accepted: FrameSocket | null = null
  socket.setNoDelay(true)
  socket.setTimeout(0)
  // Without a check that waits, ws calls back before it returns.
  server.handleUpgrade(request, socket, head, (raw) => {
    accepted = new WireSocket(raw)
  })
  return accepted
}
