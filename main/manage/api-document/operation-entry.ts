import type { Operation, StreamOperation } from '../operation/operation.ts'
import { statusesOf, successEnvelope } from './envelope.ts'
import type { JsonSchema, NamedSchemas } from './json-schema.ts'
import { limitSentences } from './request-limits.ts'

type AnyOperation = Operation | StreamOperation

/** Fields that clients send in the query although there is a body. */
const inQuery = new Set(['status_only', 'suffix', 'reset_balance'])

/** The names in a path such as `/api/token/:id`. */
const namesIn = (path: string): string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** `/api/token/:id` → `/api/token/{id}`. */
export const documentedPath = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')

const parameter = (
  name: string,
  place: 'path' | 'query',
  { description, ...schema }: JsonSchema,
  required: boolean,
): JsonSchema => ({
  name,
  in: place,
  required,
  ...(typeof description === 'string' ? { description } : {}),
  schema,
})

/** Where each field of the input is sent: in the path, the query or the body. */
function describeInput(operation: AnyOperation, schemas: NamedSchemas): JsonSchema {
  const { method, path } = operation.http
  const { fields, required, isClosed } = schemas.fieldsOf(operation.input)
  const inPath = namesIn(path)
  const hasBody = method === 'POST' || method === 'PUT'
  const isParameter = (name: string) => !inPath.includes(name) && (!hasBody || inQuery.has(name))
  const names = Object.keys(fields)
  const parameters = [
    ...inPath.map((name) => parameter(name, 'path', fields[name] ?? { type: 'string' }, true)),
    ...names
      .filter(isParameter)
      .map((name) => parameter(name, 'query', fields[name] ?? {}, required.has(name))),
  ]
  const bodyNames = names.filter((name) => !inPath.includes(name) && !isParameter(name))
  const requiredNames = bodyNames.filter((name) => required.has(name))
  const body = hasBody &&
    bodyNames.length > 0 && {
      required: requiredNames.length > 0,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: Object.fromEntries(bodyNames.map((name) => [name, fields[name]])),
            ...(requiredNames.length > 0 ? { required: requiredNames } : {}),
            ...(isClosed ? { additionalProperties: false } : {}),
          },
        },
      },
    }
  return {
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
  }
}

function describeSuccess(operation: AnyOperation, schemas: NamedSchemas): JsonSchema {
  if (operation.kind === 'stream') {
    return {
      description:
        'The answer of the model call, whole or as events, as its public endpoint gives it.',
      content: { '*/*': {} },
    }
  }
  const schema = schemas.of(successEnvelope(operation), 'output')
  return { description: 'It worked.', content: { 'application/json': { schema } } }
}

function securityOf({ access, verified, proof, kind }: AnyOperation): JsonSchema[] {
  if (access === 'none') return []
  // A step-up is kept with a session, and the playground is for people.
  const needsSession = verified === true || proof !== undefined || kind === 'stream'
  return needsSession ? [{ session: [] }] : [{ session: [] }, { accessToken: [] }]
}

const whoMay: Readonly<Record<AnyOperation['access'], string>> = {
  none: 'Open to all.',
  user: 'For everybody who is signed in.',
  admin: 'For administrators.',
  root: 'For the owner.',
}

const proofs = {
  session: 'Needs a session: an access token cannot do it.',
  recent:
    'Needs a session, and a login or step-up (POST /api/verify) of the last five minutes: an access token cannot do it.',
} as const

const EFFECT =
  'With a session it is answered to pages of the console only; other callers send an access token.'

const PAGES_ONLY = 'Answered to pages of the console only.'

/** An operation as OpenAPI's document describes it at its path and method. */
export function describeOperation(operation: AnyOperation, schemas: NamedSchemas): JsonSchema {
  const { name, summary = name, access, verified, proof } = operation
  const { hasEffect, kind } = operation
  const failures = kind === 'stream' ? 'ModelFailure' : ''
  return {
    operationId: name,
    tags: [name.slice(0, name.indexOf('.'))],
    summary,
    description: [
      whoMay[access],
      ...(verified ? ['Needs a step-up of the last minutes (POST /api/verify).'] : []),
      ...(hasEffect ? [proof ? PAGES_ONLY : EFFECT] : []),
      ...(proof ? [proofs[proof]] : []),
      ...limitSentences(operation),
    ].join(' '),
    'x-access': access,
    ...(verified || proof ? { 'x-proof': verified ? 'step-up' : proof } : {}),
    ...(hasEffect ? { 'x-own-pages': true } : {}),
    security: securityOf(operation),
    ...describeInput(operation, schemas),
    responses: {
      200: describeSuccess(operation, schemas),
      ...Object.fromEntries(
        statusesOf(operation).map((status) => [
          status,
          { $ref: `#/components/responses/${failures || `Failure${status}`}` },
        ]),
      ),
    },
  }
}
