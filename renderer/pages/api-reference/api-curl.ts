import type { ApiOperation, Schema } from './api-operations.ts'
import { sampleBody } from './sample-body.ts'
import { innerSchema } from './schema-type.ts'

/** Sign-in methods of the document that a command can use, and their shell variables. */
const variables = { tokenKey: 'SWITCHYARD_KEY', accessToken: 'SWITCHYARD_ACCESS_TOKEN' } as const

/** Empty when only a session or a provider's signature will do. */
function headerOf({ signIn }: ApiOperation): string[] {
  const way = (['tokenKey', 'accessToken'] as const).find((one) => signIn.includes(one))
  return way ? [`-H "Authorization: Bearer $${variables[way]}"`] : []
}

function sampleOf(document: Record<string, unknown>, reference: Schema): unknown {
  const schema = innerSchema(document, reference)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (first) return sampleOf(document, first)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (type === 'boolean') return true
  if (type === 'array') return schema.items ? [sampleOf(document, schema.items)] : []
  if (type === 'object') return requiredOf(document, schema)
  return '…'
}

/** A body with only the required fields. */
function requiredOf(document: Record<string, unknown>, schema: Schema): Record<string, unknown> {
  const { properties = {}, required = [] } = innerSchema(document, schema)
  return Object.fromEntries(
    required.flatMap((name) => {
      const field = properties[name]
      return field ? [[name, sampleOf(document, field)]] : []
    }),
  )
}

/** For a POSIX shell, with only the required fields. */
export function apiCurl(
  operation: ApiOperation,
  document: Record<string, unknown>,
  baseUrl: string,
): string {
  const { method, path, body, parameters } = operation
  const url = `${baseUrl}${path.replace(/\{(\w+)\}/g, (_all, name: string) => `<${name}>`)}`
  const query = parameters
    .filter(({ place, isRequired }) => place === 'query' && isRequired)
    .map(({ name }) => `${name}=…`)
    .join('&')
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${url}${query ? `?${query}` : ''}'`,
    ...headerOf(operation),
    ...(body
      ? [
          `-H 'Content-Type: application/json'`,
          `-d '${JSON.stringify(sampleBody(path, '…') ?? requiredOf(document, body)).replaceAll("'", `'\\''`)}'`,
        ]
      : []),
  ]
  return lines.join(' \\\n  ')
}
