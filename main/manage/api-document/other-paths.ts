import type { z } from 'zod'
import type { HttpMethod, Webhook } from '../operation/operation.ts'
import type { JsonSchema, NamedSchemas } from './json-schema.ts'

/** A path that tools reach with a token of theirs, such as a model call. */
export interface TokenPath {
  method: HttpMethod
  /** With `{model}` for what it names. */
  path: string
  summary: string
  body: 'json' | 'form' | 'none'
  /** Its answer, where that is this gateway's own. */
  answer?: z.ZodType
}

/** Under `/api` failures are envelopes, each with its status; elsewhere the wire format's own. */
function failuresOf(path: string): JsonSchema {
  const names: Record<string, string> = path.startsWith('/api/')
    ? { 401: 'Failure401', 403: 'Failure403', 500: 'Failure500' }
    : { '4XX': 'ModelFailure', '5XX': 'ModelFailure' }
  return Object.fromEntries(
    Object.entries(names).map(([status, name]) => [
      status,
      { $ref: `#/components/responses/${name}` },
    ]),
  )
}

/** `GET /v1/models/{model}` → `get-v1-models-model`. */
const idOf = (method: string, path: string): string =>
  `${method.toLowerCase()}${path.replaceAll(/[{}]/g, '').replaceAll(/[^A-Za-z0-9_]+/g, '-')}`

const mediaTypes = { json: 'application/json', form: 'multipart/form-data' } as const

/** Paths that take a token: model calls, model lists, and the token's own figures. */
export function describeTokenPath(
  { method, path, summary, body, answer }: TokenPath,
  schemas: NamedSchemas,
): JsonSchema {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  return {
    operationId: idOf(method, path),
    tags: [path.startsWith('/api/') || path.includes('/billing/') ? 'token' : 'models'],
    summary,
    description: "With a token's key.",
    'x-access': 'key',
    security: [{ tokenKey: [] }],
    ...(names.length > 0 && {
      parameters: names.map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
    }),
    ...(body !== 'none' && {
      requestBody: {
        required: true,
        content: { [mediaTypes[body]]: { schema: { type: 'object' } } },
      },
    }),
    responses: {
      200: answer
        ? {
            description: 'It worked.',
            content: { 'application/json': { schema: schemas.of(answer, 'output') } },
          }
        : { description: "As the wire format's own vendor answers.", content: { '*/*': {} } },
      ...failuresOf(path),
    },
  }
}

/** Called by payment providers. */
export const describeWebhook = ({ name, summary }: Webhook): JsonSchema => ({
  operationId: name,
  tags: ['webhook'],
  summary,
  description: 'For the provider: its signature over the raw bytes is what is checked.',
  'x-access': 'signature',
  security: [],
  requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
  responses: {
    200: { description: 'Taken; without a body.' },
    '4XX': { description: 'Refused. Only 429 has a body.' },
    '5XX': { description: 'It should be sent again; without a body.' },
  },
})

/** Streams that the console reads. */
export const describeEvents = (): JsonSchema => ({
  operationId: 'events',
  tags: ['server'],
  summary: 'Pushes `calls` and `server` events that say what to read again.',
  description: 'For everybody who is signed in.',
  'x-access': 'user',
  security: [{ session: [] }, { accessToken: [] }],
  responses: {
    200: {
      description: 'Server-sent events without data, until somebody leaves.',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    401: { $ref: '#/components/responses/Failure401' },
    403: { $ref: '#/components/responses/Failure403' },
  },
})

/** The document itself, as it is. */
export const describeDocument = (): JsonSchema => ({
  operationId: 'api.document-raw',
  tags: ['api'],
  summary: 'Gives this document as it is, outside the envelope.',
  description: 'Open to all.',
  'x-access': 'none',
  security: [],
  responses: {
    200: {
      description: 'An OpenAPI 3.1 document.',
      content: { 'application/json': { schema: { type: 'object' } } },
    },
    429: { $ref: '#/components/responses/Failure429' },
  },
})
