import type { IncomingMessage, ServerResponse } from 'node:http'
import { digest } from '../../base/digest.ts'
import { GatewayError } from '../../base/errors.ts'
import { admitCaller } from '../../relay/1-admit/admit-caller.ts'
import type { Caller } from '../../relay/call/call.ts'
import { type UsableModel, usableModels } from '../../relay/channel/usable-models.ts'
import type { RelayServices } from '../../relay/relay-services.ts'
import { REQUEST_ID } from '../request-id.ts'
import { anthropicPage, geminiPage } from './model-page.ts'
import type { ModelPath } from './model-path.ts'
import { toAnthropic, toCodex, toGemini, toOpenai } from './model-shapes.ts'
import { clientFamily } from './path-family.ts'

type ListPath = Extract<ModelPath, { kind: 'model-list' }>
type Shape = 'openai' | 'anthropic' | 'both' | 'gemini' | 'codex'

const VARY = 'authorization, x-api-key, x-goog-api-key, anthropic-version, origin'

/** One path, several shapes: which one the client reads shows in its headers and query (wire-formats §1.2). */
function shapeOf(path: ListPath, query: URLSearchParams | null, request: IncomingMessage): Shape {
  if (path.isGemini) return 'gemini'
  const family = clientFamily(request.headers, query)
  if (family === 'messages') return 'anthropic'
  if (query?.has('client_version')) return 'codex'
  if (family === 'generate-content') return 'gemini'
  // Claude Code's discovery may come with a bearer token and nothing else of Anthropic's.
  return query?.has('limit') ? 'both' : 'openai'
}

type List = (models: readonly UsableModel[], query: URLSearchParams | null) => unknown

const anthropicList = (
  models: readonly UsableModel[],
  query: URLSearchParams | null,
  toEntry: (model: UsableModel) => unknown,
) => {
  const page = anthropicPage(models, query)
  return {
    data: page.models.map(toEntry),
    has_more: page.hasMore,
    first_id: page.models[0]?.id ?? null,
    last_id: page.models.at(-1)?.id ?? null,
  }
}

/** OpenAI's object with Anthropic's fields, for a client that may be of either. */
const toBoth = (model: UsableModel) => ({ ...toAnthropic(model), ...toOpenai(model) })

const lists: Readonly<Record<Shape, List>> = {
  openai: (models) => ({ success: true, object: 'list', data: models.map(toOpenai) }),
  anthropic: (models, query) => anthropicList(models, query, toAnthropic),
  both: (models, query) => ({
    success: true,
    object: 'list',
    ...anthropicList(models, query, toBoth),
  }),
  gemini(models, query) {
    const { models: page, nextPageToken } = geminiPage(models, query)
    return { models: page.map(toGemini), nextPageToken }
  },
  codex: (models) => ({ models: models.map(toCodex) }),
}

const singles: Readonly<Record<Shape, (model: UsableModel) => unknown>> = {
  openai: toOpenai,
  anthropic: toAnthropic,
  both: toBoth,
  gemini: toGemini,
  codex: toOpenai,
}

/** Has the client this very version already? `if-none-match` holds one tag, several, or `*`. */
const isKnown = (request: IncomingMessage, etag: string): boolean =>
  (request.headers['if-none-match'] ?? '')
    .split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)

/** Answers GET /v1/models, /v1/models/{id}, /v1beta/models and /v1beta/models/{id}. */
export function answerModelList(
  path: ListPath,
  caller: Caller,
  query: URLSearchParams | null,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  parts: RelayServices,
): void {
  admitCaller(caller)
  const shape = shapeOf(path, query, request)
  const models = usableModels(caller, parts)
  let answer: unknown
  if (path.model === null) answer = lists[shape](models, query)
  else {
    const model = models.find((one) => one.id === path.model)
    if (!model) {
      throw new GatewayError('model_not_found', {
        message: `The model "${path.model}" does not exist here, or this token may not use it.`,
        reason: { code: 'model_hidden', model: path.model },
        field: 'model',
      })
    }
    answer = singles[shape](model)
  }
  const text = JSON.stringify(answer)
  const headers = {
    etag: `"${digest(text).slice(0, 32)}"`,
    'cache-control': 'no-cache',
    // The same path answers each client in its own shape.
    vary: VARY,
    [REQUEST_ID]: id,
  }
  if (isKnown(request, headers.etag)) {
    response.writeHead(304, headers).end()
    return
  }
  response.writeHead(200, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}
