import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { GatewayError } from '../../base/errors.ts'
import { requestId } from '../../base/ids.ts'
import type { ClientAddresses } from '../../base/net/client-address.ts'
import type { RelayServices } from '../../relay/relay-services.ts'
import type { Guard } from '../api/guard.ts'
import { identify } from '../model/identify.ts'
import { matchModelPath, socketOf } from '../model/model-path.ts'
import { pathFamily } from '../model/path-family.ts'
import { createResponsesSocket, serveRealtime, type Upgrade } from '../model/realtime.ts'
import { asGatewayError, writeError } from '../model/write-error.ts'
import { newRequestRecord, type RefusalRecorder } from '../refusal/refusal-recorder.ts'
import { REQUEST_ID } from '../request-id.ts'
import { acceptSocket, checkHandshake } from './accept-socket.ts'
import { declineUpgrade } from './decline-upgrade.ts'

/** A plain HTTP response in an upgrade's place, after which the connection is closed. */
function plainResponse(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.on('finish', () => {
    response.detachSocket(socket)
    socket.end()
    // Read off the rest of the request, or the client might lose the answer to a reset.
    socket.resume()
  })
  return response
}

/** A client that says more than this before it is answered is not listened to any further, in bytes. */
const EARLY_LIMIT = 64 * 1024

/**
 * Reads a connection that is still to be answered: only so is it noticed that its client has left. Gives
 * what the client has said meanwhile.
 */
function watchEarly(socket: Socket, head: Buffer): () => Buffer {
  const chunks = [head]
  let size = head.length
  const onData = (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size > EARLY_LIMIT) socket.destroy()
  }
  const onEnd = () => socket.destroy()
  const onError = () => {}
  socket.on('data', onData).on('end', onEnd).on('error', onError)
  return () => {
    socket.off('data', onData).off('end', onEnd).off('error', onError)
    return Buffer.concat(chunks)
  }
}

/** All else that ws looks at was checked before. */
const unreadableProtocols = (): GatewayError =>
  new GatewayError('invalid_request', {
    message: 'Sec-WebSocket-Protocol: must be a list of names, each of them once.',
    reason: { code: 'websocket_protocols_wrong' },
    field: 'Sec-WebSocket-Protocol',
  })

/** (3) Serves upgrades to WebSockets; every other wish to upgrade is passed over. */
export function serveUpgrades(
  server: Server,
  guard: Guard,
  parts: RelayServices & { clients: ClientAddresses },
  refusals: RefusalRecorder,
): void {
  const serveResponses = createResponsesSocket(parts)

  async function serve(
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    kind: 'realtime' | 'responses',
  ): Promise<void> {
    const id = requestId()
    const record = newRequestRecord()
    const early = watchEarly(socket, head)
    const [path = '/', ...rest] = (request.url ?? '/').split('?')
    const query = new URLSearchParams(rest.join('?'))
    const response = plainResponse(request, socket)
    let isUnanswered = false
    try {
      guard.check(request, response)
      if (parts.openCalls.refusal) throw parts.openCalls.refusal
      checkHandshake(request)
      const caller = identify(request, query, parts, parts.clients.of(request))
      record.caller = caller
      const upgrade: Upgrade = {
        ...{ request, socket, id, path, query, caller, record },
        accept(headers) {
          response.detachSocket(socket)
          const more = { ...headers, [REQUEST_ID]: id }
          const accepted = acceptSocket(request, socket, early(), more)
          isUnanswered = !accepted && !socket.destroyed
          if (isUnanswered) response.assignSocket(socket)
          return accepted
        },
      }
      if (kind === 'realtime') await serveRealtime(upgrade, parts)
      else serveResponses(upgrade)
      if (isUnanswered) throw unreadableProtocols()
    } catch (error) {
      const failure = asGatewayError(error, id, parts.log)
      writeError(response, failure, pathFamily(request.url ?? ''), id)
      refusals.note(request, failure, id, record)
    }
  }

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    const kind = socketOf(matchModelPath(path))
    const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket'
    if (kind === null || !isWebSocket || request.method !== 'GET') {
      declineUpgrade(server, request, socket, head)
      return
    }
    void serve(request, socket as Socket, head, kind)
  })
}
