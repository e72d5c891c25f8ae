import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import { GatewayError } from '../../base/errors.ts'
import type { GatewayParts } from '../../manage/gateway-parts.ts'
import { admit, allOperations } from '../../manage/operation/invoke.ts'
import { readInput } from '../../manage/operation/read-input.ts'
import { writeAnswer } from '../model/write-answer.ts'
import { asGatewayError, writeError } from '../model/write-error.ts'
import { pathHint } from '../refusal/path-hint.ts'
import type { RefusalRecorder } from '../refusal/refusal-recorder.ts'
import { requestIdOf } from '../request-id.ts'
import { sendFailure, sendReply } from './api-answer.ts'
import { checkCredential, contextOf } from './api-context.ts'
import { DOCUMENT_PATH, sendApiDocument } from './api-document.ts'
import { apiEvents } from './api-events.ts'
import { readApiInput } from './api-input.ts'
import { type ApiLimits, createApiLimits } from './api-limits.ts'
import { checkOwnPage } from './guard.ts'
import { sessionCookie } from './session-cookie.ts'
import { webhookRouter } from './webhooks.ts'

type AnyOperation = (typeof allOperations)[number]

const EVENTS_PATH = '/api/events'

/** Fixed segments before parameters, so that `/api/token/search` is no token's id. */
const byPrecision = (one: string, other: string): number => {
  const rank = (path: string) => path.replaceAll(/:\w+/g, '\u{10ffff}')
  return rank(one) < rank(other) ? -1 : 1
}

const USER_PATH = '/api/user/:id'

/** new-api serves much under names beside users, such as `/api/user/aff`, that is nothing here. */
const passOnNames: RequestHandler = (request, _response, next) =>
  /^\d+$/.test(String(request.params.id)) ? next() : next('route')

/** A model call's path behind ours, such as `/api/v1/chat/completions`, is told what its client can do. */
const passOnModelPaths: RequestHandler = ({ baseUrl, path }, _response, next) =>
  next(pathHint(baseUrl + path, '') ? 'router' : undefined)

const unknownPath: RequestHandler = ({ method, baseUrl, path }) => {
  throw new GatewayError('unknown_path', {
    message: `There is nothing at ${method} ${baseUrl}${path}. See /api/openapi.json for all paths.`,
    reason: { code: 'api_path_unknown', method, path: `${baseUrl}${path}` },
  })
}

const wrongMethod =
  (methods: readonly string[]): RequestHandler =>
  ({ path, method }, response) => {
    const allowed = methods.join(', ')
    response.setHeader('Allow', allowed)
    throw new GatewayError('method_not_allowed', {
      message: `${path} takes ${allowed}, not ${method}.`,
      reason: { code: 'path_takes', path, methods: allowed, method },
    })
  }

/** One operation: who asks, may they, what do they send, and then what it answers. */
const serve =
  (operation: AnyOperation, limits: ApiLimits, parts: GatewayParts): RequestHandler =>
  async (request, response) => {
    try {
      const context = contextOf(request, response, parts)
      if (operation.access !== 'none') checkCredential(request)
      if (operation.hasEffect && context.credential === 'session') checkOwnPage(request)
      admit(operation, context)
      const sent = await readApiInput(operation, request)
      await limits.ofOperation(operation, request, response)
      const input = readInput(operation.input, sent)
      if (operation.kind === 'stream') {
        writeAnswer(await operation.run(input, context), response, context.requestId)
        return
      }
      const reply = await operation.run(input, context)
      sendReply(response, reply)
    } catch (error) {
      // A stream is a model call: its clients read OpenAI's errors.
      if (operation.kind === 'stream') {
        const id = requestIdOf(response)
        writeError(response, asGatewayError(error, id, parts.log), 'chat', id)
      } else sendFailure(error, operation, request, response, parts)
    }
  }

/**
 * The management API: every operation at its path under `/api` and `/pg`, with and without a trailing
 * slash, the pushed events, and what servers of vendors call.
 */
export function apiRouter(parts: GatewayParts, refusals: RefusalRecorder): express.Router {
  const limits = createApiLimits(parts)
  const api = express.Router({ caseSensitive: true })

  api.use(webhookRouter(parts))
  api.use(function describeAnswer(request, response, next) {
    response.setHeader('Cache-Control', 'no-store')
    response.setHeader('X-New-Api-Version', parts.version)
    // Several reads here have side effects, so HEAD is not answered by running them.
    if (request.method === 'HEAD') unknownPath(request, response, next)
    else next()
  })
  api.use(sessionCookie(parts), limits.global)

  const paths = new Set(allOperations.map(({ http }) => http.path))
  for (const path of [...paths].sort(byPrecision)) {
    const route = api.route(path)
    const here = allOperations.filter(({ http }) => http.path === path)
    if (path === USER_PATH) route.all(passOnNames)
    for (const operation of here) {
      const method = operation.http.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'
      route[method](serve(operation, limits, parts))
    }
    route.all(wrongMethod(here.map(({ http }) => http.method)))
  }
  api
    .route(EVENTS_PATH)
    .get(apiEvents(parts))
    .all(wrongMethod(['GET']))
  api
    .route(DOCUMENT_PATH)
    .get(sendApiDocument(parts))
    .all(wrongMethod(['GET']))
  api.use(passOnModelPaths, unknownPath)

  const onError: ErrorRequestHandler = (error, request, response, _next) => {
    sendFailure(error, null, request, response, parts)
    refusals.noteUnknownPath(request, error, requestIdOf(response))
  }
  api.use(onError)
  return api
}
