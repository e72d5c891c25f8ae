import type http from 'node:http'
import express from 'express'
import helmet from 'helmet'
import { requestId } from '../base/ids.ts'
import type { GatewayParts } from '../manage/gateway-parts.ts'
import { createGuard, type Guard } from './api/guard.ts'
import { consoleRouter } from './console.ts'
import { createModelEndpoints } from './model/model-endpoints.ts'
import { pathFamily } from './model/path-family.ts'
import { asGatewayError, writeError } from './model/write-error.ts'
import { newRequestRecord, RefusalRecorder } from './refusal/refusal-recorder.ts'
import { meantPath, unknownPath } from './refusal/unknown-path.ts'
import { createWatchedServer } from './refusal/unread-requests.ts'
import { REQUEST_ID, requestIdOf } from './request-id.ts'
import { serveUpgrades } from './socket/upgrade.ts'

/** A connection that sends its head slower than this is closed. */
const HEADERS_TIMEOUT = 60_000

const DOORPLATE =
  '<!doctype html><title>Switchyard</title><meta http-equiv="refresh" content="0; url=/console/"><a href="/console/">Switchyard</a>'

/**
 * The management API is loaded with its first request: with a schema for each operation it is half of the program, and
 * a gateway that only relays has no use for it.
 */
function manageApi(parts: GatewayParts, refusals: RefusalRecorder): express.RequestHandler {
  let loaded: Promise<express.RequestHandler> | null = null
  return async function manage(request, response, next) {
    if (!/^\/(?:api|pg)(?:\/|$)/.test(request.path)) return next()
    loaded ??= import('./api/api-endpoints.ts').then(({ apiRouter }) => apiRouter(parts, refusals))
    const api = await loaded.catch((error) => {
      // A file that could not be read once is tried again.
      loaded = null
      throw error
    })
    api(request, response, next)
  }
}

/** Paths for people and their scripts: the management API, the console, and the rest. */
function createApp(
  parts: GatewayParts,
  rendererFolder: string,
  refusals: RefusalRecorder,
): express.Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
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
  app.get(['/', '/api/hello'], (request, response) => {
    // Clients take a redirect for a wrong address, so a browser is shown the way by the page itself.
    if (request.accepts(['json', 'html']) === 'html') response.type('html').send(DOORPLATE)
    else response.json({ name: 'Switchyard', version: parts.version, console: '/console/' })
  })
  app.use(manageApi(parts, refusals))
  app.use(consoleRouter(rendererFolder))
  app.use((request) => {
    throw unknownPath(request.method, request.path, parts.address().url)
  })
  const onError: express.ErrorRequestHandler = (error, request, response, _next) => {
    const id = requestIdOf(response)
    const failure = asGatewayError(error, id, parts.log)
    const isUnknown = failure.code === 'unknown_path'
    const asked = isUnknown ? meantPath(request.path, parts.address().url) : request.originalUrl
    writeError(response, failure, pathFamily(asked), id)
    refusals.noteUnknownPath(request, error, id)
  }
  app.use(onError)
  return app
}

/**
 * (1) and (3): every request passes the door; model calls are served at once, the rest is Express's. Its
 * router would cost a model call more than the gateway's own routing does.
 */
function createDoor(
  parts: GatewayParts,
  guard: Guard,
  app: express.Express,
  refusals: RefusalRecorder,
): http.RequestListener {
  const serveModels = createModelEndpoints(parts, refusals)
  return function door(request, response) {
    const id = requestId()
    const record = newRequestRecord()
    try {
      guard.check(request, response)
      // A gateway that stops still says so, on new connections and on those that were kept open.
      if (parts.openCalls.refusal) throw parts.openCalls.refusal
    } catch (error) {
      const family = pathFamily(request.url ?? '')
      const failure = asGatewayError(error, id, parts.log)
      writeError(response, failure, family, id)
      // A console that polls a gateway which stops isn't a call.
      if (failure !== parts.openCalls.refusal || family !== 'manage')
        refusals.note(request, failure, id, record)
      return
    }
    if (request.method !== 'OPTIONS' && serveModels(request, response, id, record)) return
    response.setHeader(REQUEST_ID, id)
    app(request, response)
  }
}

/** The gateway's HTTP server, not yet listening. */
export function createServer(parts: GatewayParts, rendererFolder: string): http.Server {
  const options: http.ServerOptions = {
    keepAliveTimeout: 75_000,
    headersTimeout: HEADERS_TIMEOUT,
    // A call may take as long as its model thinks.
    requestTimeout: 0,
    noDelay: true,
  }
  const guard = createGuard(parts)
  const refusals = new RefusalRecorder(parts)
  const app = createApp(parts, rendererFolder, refusals)
  const server = createWatchedServer(options, createDoor(parts, guard, app, refusals), refusals)
  serveUpgrades(server, guard, parts, refusals)
  return server
}
