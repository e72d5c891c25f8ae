import { asArray, asObject, wordOf } from '../json/json-value.ts'

/**
 * Keywords of strict mode: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
const keywords = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf'],
  ...['$ref', '$defs', 'definitions', '$schema', 'title', 'description', 'pattern', 'format'],
  ...['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minItems', 'maxItems'],
])
const formats = new Set([
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
])

const MOST_PROPERTIES = 5000
const MOST_VALUES = 1000
const DEEPEST = 10

interface Totals {
  properties: number
  values: number
}

function fits(value: unknown, depth: number, totals: Totals): boolean {
  const schema = asObject(value)
  if (!schema || depth > DEEPEST) return false
  if (!Object.keys(schema).every((keyword) => keywords.has(keyword))) return false
  if (!['type', '$ref', 'anyOf', 'enum', 'const'].some((keyword) => keyword in schema)) return false
  if (schema.format !== undefined && !formats.has(wordOf(schema.format))) return false
  totals.values += asArray(schema.enum).length
  if (totals.values > MOST_VALUES) return false

  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  if (types.includes('array') && schema.items === undefined) return false
  if (types.includes('object') || schema.properties !== undefined) {
    const names = Object.keys(asObject(schema.properties) ?? {})
    const required = asArray(schema.required)
    totals.properties += names.length
    if (schema.additionalProperties !== false || totals.properties > MOST_PROPERTIES) return false
    if (names.length !== required.length) return false
    if (!names.every((name) => required.includes(name))) return false
  }
  const isRef = typeof schema.$ref !== 'string' || schema.$ref.startsWith('#')
  const nested = [schema.items ?? [], schema.anyOf ?? []].flat()
  const members = [schema.properties, schema.$defs, schema.definitions].flatMap((group) =>
    Object.values(asObject(group) ?? {}),
  )
  return isRef && [...nested, ...members].every((inner) => fits(inner, depth + 1, totals))
}

/**
 * Does a schema keep the rules of OpenAI's strict mode as it is? Every object closed, every property
 * required, no keyword beyond those that mode knows.
 */
export function fitsStrict(schema: Record<string, unknown>): boolean {
  return schema.type === 'object' && !('anyOf' in schema)
    ? fits(schema, 0, { properties: 0, values: 0 })
    : false
}
