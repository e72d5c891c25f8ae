import type { IncomingMessage, ServerResponse } from 'node:http'
import { Cancellation } from '../base/cancellation.ts'
import { GatewayError } from '../base/errors.ts'
import { bodyFormat } from '../convert/body-format.ts'
import { codecOf } from '../convert/codecs.ts'
import type { JsonFields } from '../convert/json-fields.ts'
import type { Call, Caller, RelayParts } from '../relay/call.ts'
import { relay } from '../relay/relay.ts'
import type { Tokens } from '../store/tokens.ts'
import type { Users } from '../store/users.ts'
import { identify } from './identify.ts'
import { answerModelList } from './model-list.ts'
import { type ModelPath, matchModelPath } from './model-path.ts'
import { pathFamily } from './path-family.ts'
import { readBody } from './read-body.ts'
import { writeAnswer } from './write-answer.ts'
import { asGatewayError, writeError } from './write-error.ts'

/** Decoded size of a model call's body, in bytes. */
const BODY_LIMIT = 64 * 1024 * 1024

export interface ModelParts extends RelayParts {
  tokens: Tokens
  users: Users
}

const clientGone = () => new GatewayError('client_gone', { message: 'The client has left.' })

type CallPath = Extract<ModelPath, { kind: 'call' }>

/** The query without the client's key, which is nobody else's business. */
function withoutKey(query: URLSearchParams | null): string {
  if (query === null) return ''
  query.delete('key')
  return query.toString()
}

function modelOf(path: CallPath, body: JsonFields): string {
  const model = path.model ?? body.get('model')
  if (typeof model === 'string' && model !== '') return model
  throw new GatewayError('invalid_request', {
    message:
      model === undefined || model === null || model === ''
        ? 'model: is required: the name of a model, as GET /v1/models lists it.'
        : 'model: must be a string.',
    field: 'model',
  })
}

async function serveCall(
  path: CallPath,
  caller: Caller,
  query: URLSearchParams | null,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  parts: ModelParts,
): Promise<void> {
  const receivedAt = performance.now()
  const body = await readBody(request, BODY_LIMIT)
  const codec = codecOf(bodyFormat(path.format, body))
  const cancellation = new Cancellation()
  response.on('close', () => {
    if (!response.writableEnded) cancellation.cancel(clientGone())
  })
  const model = modelOf(path, body)
  if (path.verb === 'generate') codec.checkRequest(body, request.headers)
  else codec.checkCount(body, request.headers)
  const url = request.url ?? ''
  const call: Call = {
    id,
    receivedAt,
    format: path.format,
    verb: path.verb,
    path: url.slice(0, url.includes('?') ? url.indexOf('?') : url.length),
    model,
    stream: path.streams || body.get('stream') === true,
    asArray: path.streams && query?.get('alt') !== 'sse',
    body,
    headers: request.headers,
    query: withoutKey(query),
    caller,
    group: null,
    origin: '',
    cancellation,
  }
  writeAnswer(await relay(call, parts), response, id)
}

const hints: readonly [RegExp, string][] = [
  [/^\/v1\/v1\//, 'The path has /v1 twice: take /v1 off the base URL that the client was given.'],
  [/^\/v1beta\/v1beta\//, 'The path has /v1beta twice: take it off the base URL of the client.'],
]

/** The failure for a path on the model side that does not exist, with a hint where one is known. */
export function unknownModelPath(method: string, path: string): GatewayError {
  const hint = hints.find(([pattern]) => pattern.test(path))?.[1]
  return new GatewayError('unknown_path', {
    message: `Invalid URL (${method} ${path})${hint ? `. ${hint}` : ''}`,
  })
}

/** (3) Serves model calls and model lists; false when the path is not on the model side. */
export function createModelEndpoints(
  parts: ModelParts,
): (request: IncomingMessage, response: ServerResponse, id: string) => boolean {
  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
  ): Promise<void> {
    const url = request.url ?? '/'
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    const query = mark < 0 ? null : new URLSearchParams(url.slice(mark + 1))
    const found = matchModelPath(path)
    const method = request.method ?? 'GET'
    if (!found) throw unknownModelPath(method, path)
    const allowed = found.kind === 'call' ? 'POST' : 'GET'
    if (method === 'GET' && found.kind === 'call' && found.format === 'responses') {
      throw new GatewayError('websocket_not_served', {
        message: `${path} takes POST. Responses over a WebSocket are not served here: use HTTP with "stream": true.`,
      })
    }
    if (method !== allowed && !(allowed === 'GET' && method === 'HEAD')) {
      response.setHeader('allow', allowed)
      throw new GatewayError('method_not_allowed', {
        message: `${path} takes ${allowed}, not ${method}.`,
      })
    }
    const ip = request.socket.remoteAddress ?? ''
    const caller = identify(request, query, parts, ip)
    if (found.kind === 'call') await serveCall(found, caller, query, request, response, id, parts)
    else answerModelList(found, caller, query, request, response, id, parts)
  }

  return function modelEndpoints(request, response, id) {
    const url = request.url ?? '/'
    const family = pathFamily(url)
    if (family === 'manage') return false
    serve(request, response, id).catch((error: unknown) => {
      const failure = asGatewayError(error, id, parts.log)
      if (failure.code === 'client_gone') response.destroy()
      else writeError(response, failure, family, id)
    })
    return true
  }
}
