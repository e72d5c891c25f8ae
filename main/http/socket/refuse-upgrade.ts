import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A plain HTTP response in an upgrade's place, after which the connection is closed. */
export function plainResponse(request: IncomingMessage, socket: Socket): ServerResponse {
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
