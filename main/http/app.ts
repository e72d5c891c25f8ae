import http from 'node:http'
import express from 'express'
import helmet from 'helmet'
import { GatewayError } from '../base/errors.ts'
import { requestId } from '../base/ids.ts'
import type { GatewayParts } from '../manage/gateway-parts.ts'
import { apiRouter } from './api-endpoints.ts'
import { consoleRouter } from './console.ts'
import { createGuard } from './guard.ts'
import { createModelEndpoints } from './model-endpoints.ts'
import { pathFamily } from './path-family.ts'
import { REQUEST_ID, requestIdOf } from './request-id.ts'
import { asGatewayError, writeError } from './write-error.ts'

/** A connection that sends its head slower than this is closed. */
const HEADERS_TIMEOUT = 60_000

/** (1) to (4) in order: the door, model calls, the management API, the console, and what is left. */
function createApp(parts: GatewayParts, rendererFolder: string): express.Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  const guard = createGuard(parts.address, parts.settings)
  const serveModels = createModelEndpoints(parts)
  app.use(function door(request, response, next) {
    const id = requestId()
    try {
      guard.check(request, response)
    } catch (error) {
      const path = request.originalUrl
      return writeError(response, asGatewayError(error, id, parts.log), pathFamily(path), id)
    }
    // Model calls leave here: what follows costs time and is for people.
    if (request.method !== 'OPTIONS' && serveModels(request, response, id)) return
    response.setHeader(REQUEST_ID, id)
    next()
  })
  app.options('/{*path}', function preflight(request, response) {
    if (response.hasHeader('access-control-allow-origin')) {
      response.setHeader('access-control-allow-methods', 'GET, POST')
      response.setHeader(
        'access-control-allow-headers',
        String(request.headers['access-control-request-headers'] ?? '*'),
      )
      response.setHeader('access-control-max-age', '600')
    }
    response.status(204).end()
  })
  app.use(helmet({ contentSecurityPolicy: false, strictTransportSecurity: false }))
  // Claude Code asks these before its first call, to see whether anyone is there.
  app.head(['/', '/api/hello'], (_request, response) => void response.status(200).end())
  app.get('/', (_request, response) => response.redirect(302, '/console/'))
  app.use(apiRouter(parts))
  app.use(consoleRouter(rendererFolder))
  app.use((request) => {
    throw new GatewayError('unknown_path', {
      message: `Invalid URL (${request.method} ${request.path})`,
    })
  })
  const onError: express.ErrorRequestHandler = (error, request, response, _next) => {
    const id = requestIdOf(response)
    writeError(response, asGatewayError(error, id, parts.log), pathFamily(request.originalUrl), id)
  }
  app.use(onError)
  return app
}

/**
 * The gateway's HTTP server. Its request and response objects are born with Express's prototypes:
 * Express otherwise changes them on every request, which throws V8's inline caches away and costs three
 * quarters of all the time it takes.
 */
export function createServer(parts: GatewayParts, rendererFolder: string): http.Server {
  const app = createApp(parts, rendererFolder)
  const Request = function (this: http.IncomingMessage, socket: unknown) {
    Reflect.apply(http.IncomingMessage, this, [socket])
  }
  Request.prototype = app.request
  const Response = function (this: http.ServerResponse, request: unknown, options: unknown) {
    Reflect.apply(http.ServerResponse, this, [request, options])
  }
  Response.prototype = app.response
  const server = http.createServer(
    {
      IncomingMessage: Request as unknown as typeof http.IncomingMessage,
      ServerResponse: Response as unknown as typeof http.ServerResponse,
      keepAliveTimeout: 75_000,
      headersTimeout: HEADERS_TIMEOUT,
      // A call may take as long as its model thinks.
      requestTimeout: 0,
      noDelay: true,
    },
    app,
  )
  return server
}
