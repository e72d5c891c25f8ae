/** Only the keywords of JSON Schema that the page shows. */
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

export interface ApiOperation {
  name: string
  method: string
  path: string
  summary: string
  tag: string
  /** `none`, `user`, `admin`, `root`, `key` or `signature`; empty when the document doesn't say. */
  access: string
  /** Names of the sign-in methods, any of which will do; empty when none is needed. */
  signIn: string[]
  parameters: Parameter[]
  body: Schema | null
  /** Media type of the body; empty without one. */
  bodyType: string
  /** The `data` of the envelope, or the whole answer without one. */
  answer: Schema | null
  statuses: { status: string; text: string }[]
}

type Json = Record<string, unknown>

/** Tag of the paths that tools call. */
const modelCalls = 'models'

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

const asObject = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Resolves a `#/…` pointer. */
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

function contentSchema(holder: unknown): Schema | null {
  const content = asObject(asObject(holder)?.content)
  const [media] = Object.values(content ?? {})
  return (asObject(asObject(media)?.schema) as Schema | null) ?? null
}

const mediaTypeOf = (holder: Json): string => Object.keys(asObject(holder.content) ?? {})[0] ?? ''

/** Follows a `$ref` to a parameter or answer. */
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
    bodyType: mediaTypeOf(follow(document, value.requestBody)),
    body: contentSchema(follow(document, value.requestBody)),
    answer: success ? contentSchema(follow(document, responses[success])) : null,
    statuses: Object.entries(responses).map(([status, answer]) => ({
      status,
      text: asText(follow(document, answer).description),
    })),
  }
}

/** Model calls, which most readers come for, stand first; else in the document's order. */
export function operationsOf(document: Json): ApiOperation[] {
  const paths = asObject(document.paths) ?? {}
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const value = asObject(asObject(methods)?.[method])
      return value ? [readOperation(document, path, method, value)] : []
    }),
  )
  return all.toSorted((one, other) => rankOf(one) - rankOf(other))
}

/** `/v1`, then the other paths of model calls, then the rest. */
const rankOf = ({ tag, path }: ApiOperation): number =>
  tag !== modelCalls ? 2 : path.startsWith('/v1/') ? 0 : 1

/** Whether every typed word occurs in the name, path, method or summary. */
export function matchesWords(operation: ApiOperation, typed: string): boolean {
  const { name, path, method, summary, tag } = operation
  const text = `${name} ${path} ${method} ${summary} ${tag}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
