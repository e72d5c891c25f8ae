import type { IncomingMessage, ServerResponse } from 'node:http'
import { GatewayError } from '../base/errors.ts'
import { admitCaller } from '../relay/admit.ts'
import type { Caller, RelayParts } from '../relay/call.ts'
import { type UsableModel, usableModels } from '../relay/usable-models.ts'
import type { ModelPath } from './model-path.ts'
import { REQUEST_ID } from './request-id.ts'

type ListPath = Extract<ModelPath, { kind: 'model-list' }>
type Shape = 'openai' | 'anthropic' | 'gemini' | 'codex'

/** When the models came to be is not known; the number is the one that new-api gives. */
const CREATED = 1626777600

/** One path, four shapes: which one the client reads shows in its headers and query (wire-formats §1.2). */
function shapeOf(path: ListPath, query: URLSearchParams | null, request: IncomingMessage): Shape {
  const { headers } = request
  if (path.isGemini) return 'gemini'
  if (headers['anthropic-version'] || (headers['x-api-key'] && !headers.authorization)) {
    return 'anthropic'
  }
  if (query?.has('client_version')) return 'codex'
  if (headers['x-goog-api-key'] || query?.has('key')) return 'gemini'
  return 'openai'
}

const toOpenai = (model: UsableModel) => ({
  id: model.id,
  object: 'model',
  created: CREATED,
  owned_by: model.owner,
  supported_endpoint_types: model.endpointTypes,
})

const toAnthropic = (model: UsableModel) => ({
  type: 'model',
  id: model.id,
  display_name: model.id,
  created_at: new Date(CREATED * 1000).toISOString(),
})

/** Token limits are left out: they are not known here, and a wrong one would do harm. */
const toGemini = (model: UsableModel) => ({
  name: `models/${model.id}`,
  baseModelId: model.id,
  version: '',
  displayName: model.id,
  supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
})

/**
 * Codex's own list says far more of each model. What is not known here is left out: Codex then falls
 * back to its own catalogue, while a guess would have it send what the model does not take.
 */
const toCodex = (model: UsableModel) => ({
  slug: model.id,
  display_name: model.id,
  visibility: 'list',
  supported_in_api: true,
})

const lists: Readonly<Record<Shape, (models: readonly UsableModel[]) => unknown>> = {
  openai: (models) => ({ success: true, object: 'list', data: models.map(toOpenai) }),
  anthropic: (models) => ({
    data: models.map(toAnthropic),
    has_more: false,
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
  }),
  gemini: (models) => ({ models: models.map(toGemini), nextPageToken: null }),
  codex: (models) => ({ models: models.map(toCodex) }),
}

const singles: Readonly<Record<Shape, (model: UsableModel) => unknown>> = {
  openai: toOpenai,
  anthropic: toAnthropic,
  gemini: toGemini,
  codex: toOpenai,
}

/** Answers GET /v1/models, /v1/models/{id}, /v1beta/models and /v1beta/models/{id}. */
export function answerModelList(
  path: ListPath,
  caller: Caller,
  query: URLSearchParams | null,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  parts: RelayParts,
): void {
  admitCaller(caller)
  const shape = shapeOf(path, query, request)
  const models = usableModels(caller, parts)
  let answer: unknown
  if (path.model === null) answer = lists[shape](models)
  else {
    const model = models.find((one) => one.id === path.model)
    if (!model) {
      throw new GatewayError('model_not_found', {
        message: `The model "${path.model}" does not exist here, or this token may not use it.`,
        field: 'model',
      })
    }
    answer = singles[shape](model)
  }
  const body = Buffer.from(JSON.stringify(answer))
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-cache',
    [REQUEST_ID]: id,
  })
  response.end(body)
}
