import { asArray, asObject, asText, type Json } from '../json-access.ts'

const formats: Record<string, string> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  email: 'echo@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** Deep enough for any real schema; a schema that refers to itself ends here. */
const DEEPEST = 8

function typeOf(schema: Json): string {
  const types = asArray(schema.type).map(asText)
  // Google writes types in capitals.
  const type = (types.find((name) => name !== 'null') ?? asText(schema.type)).toLowerCase()
  if (type !== '') return type
  return schema.properties ? 'object' : schema.items ? 'array' : 'string'
}

/** Follows `#/$defs/Name` inside the root schema. */
function resolve(schema: Json, root: Json): Json {
  const reference = asText(schema.$ref)
  if (!reference.startsWith('#/')) return schema
  const path = reference.slice(2).split('/')
  return path.reduce<Json>((place, name) => asObject(place[name]), root)
}

/** A small value that a JSON Schema allows: what is required, and no more. */
export function sampleValue(unresolved: Json, root: Json = unresolved, depth = 0): unknown {
  const schema = resolve(unresolved, root)
  if (schema.const !== undefined) return schema.const
  const listed = schema.default ?? asArray(schema.examples)[0] ?? asArray(schema.enum)[0]
  if (listed !== undefined) return listed
  const branch = asArray(schema.anyOf ?? schema.oneOf ?? schema.allOf)[0]
  if (branch !== undefined && depth < DEEPEST) return sampleValue(asObject(branch), root, depth + 1)
  switch (typeOf(schema)) {
    case 'object':
      return depth < DEEPEST ? sampleObject(schema, root, depth) : {}
    case 'array':
      return Number(schema.minItems) > 0 && depth < DEEPEST
        ? [sampleValue(asObject(schema.items), root, depth + 1)]
        : []
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 1
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      // An agent may run what it is handed, so the word is harmless even as a shell command.
      return formats[asText(schema.format)] ?? 'echo'
  }
}

function sampleObject(schema: Json, root: Json, depth: number): Json {
  const properties = asObject(schema.properties)
  const value: Json = {}
  for (const name of asArray(schema.required).map(asText)) {
    value[name] = sampleValue(asObject(properties[name]), root, depth + 1)
  }
  return value
}
