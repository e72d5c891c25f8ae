/** A JSON Schema as the API's document holds it; only what is shown is named. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  prefixItems?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

export interface Parameter {
  name: string
  place: string
  isRequired: boolean
  schema: Schema
}

/** One method at one path. */
export interface ApiOperation {
  name: string
  method: string
  path: string
  summary: string
  tag: string
  /** Who may: `none`, `user`, `admin`, `root`, `key`, `signature`; '' when the document does not say. */
  access: string
  /** Names of the ways to sign in, of which any one will do; empty where none is needed. */
  signIn: string[]
  parameters: Parameter[]
  body: Schema | null
  /** Of the answer's envelope, or of the answer where it has none. */
  answer: Schema | null
  /** Statuses and what they mean. */
  statuses: { status: string; text: string }[]
}

type Json = Record<string, unknown>

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

const asObject = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What a `#/…` pointer leads to. */
export function resolve(document: Json, schema: Schema): Schema {
  let current: Schema = schema
  for (let step = 0; current.$ref && step < 8; step++) {
    const path = current.$ref.replace(/^#\//, '').split('/')
    const found = path.reduce<unknown>((at, part) => asObject(at)?.[decode(part)], document)
    const target = asObject(found)
    if (!target) return {}
    current = target as Schema
  }
  return current
}

const decode = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** The JSON schema of a request's or an answer's `content`. */
function contentSchema(holder: unknown): Schema | null {
  const content = asObject(asObject(holder)?.content)
  const [media] = Object.values(content ?? {})
  return (asObject(asObject(media)?.schema) as Schema | null) ?? null
}

/** A parameter or answer that stands elsewhere in the document, or the one that is given. */
const follow = (document: Json, value: unknown): Json =>
  resolve(document, (asObject(value) ?? {}) as Schema) as Json

function readOperation(document: Json, path: string, method: string, value: Json): ApiOperation {
  const responses = asObject(value.responses) ?? {}
  const success = Object.keys(responses).find((status) => status.startsWith('2'))
  const parameters = Array.isArray(value.parameters) ? value.parameters : []
  return {
    name: asText(value.operationId) || `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    summary: asText(value.summary),
    tag: asText(Array.isArray(value.tags) ? value.tags[0] : '') || 'other',
    access: asText(value['x-access']),
    signIn: (Array.isArray(value.security) ? value.security : []).flatMap((one) =>
      Object.keys(asObject(one) ?? {}),
    ),
    parameters: parameters.map((one) => {
      const parameter = follow(document, one)
      return {
        name: asText(parameter.name),
        place: asText(parameter.in),
        isRequired: parameter.required === true,
        schema: (asObject(parameter.schema) ?? {}) as Schema,
      }
    }),
    body: contentSchema(follow(document, value.requestBody)),
    answer: success ? contentSchema(follow(document, responses[success])) : null,
    statuses: Object.entries(responses).map(([status, answer]) => ({
      status,
      text: asText(follow(document, answer).description),
    })),
  }
}

/** Every operation of an OpenAPI document, in its order. */
export function operationsOf(document: Json): ApiOperation[] {
  const paths = asObject(document.paths) ?? {}
  return Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const value = asObject(asObject(methods)?.[method])
      return value ? [readOperation(document, path, method, value)] : []
    }),
  )
}

/** Does the operation hold every word that was typed, in its name, path, method or summary? */
export function matchesWords(operation: ApiOperation, typed: string): boolean {
  const { name, path, method, summary, tag } = operation
  const text = `${name} ${path} ${method} ${summary} ${tag}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
