import { asArray, asObject } from '../../json/json-value.ts'

/** 64-bit counts, which protocol buffers write as strings. */
const counts = [
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
] as const

const single = ['items', 'additionalProperties', 'not'] as const
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const
const maps = ['properties', 'defs', '$defs', 'definitions', 'patternProperties'] as const

/** Google nests a few levels; what lies deeper is left as it is. */
const DEEPEST = 100

const keyOf: Readonly<Record<string, string>> = { defs: '$defs', ref: '$ref' }

function typeOf(type: unknown, isNullable: boolean): unknown {
  if (typeof type !== 'string') return type
  const lower = type.toLowerCase()
  if (lower === 'type_unspecified') return undefined
  return isNullable ? [lower, 'null'] : lower
}

function decodeValue(key: string, value: unknown, depth: number): unknown {
  if ((single as readonly string[]).includes(key)) {
    return decodeAny(value, depth)
  }
  if ((lists as readonly string[]).includes(key))
    return asArray(value).map((one) => decodeAny(one, depth))
  if ((maps as readonly string[]).includes(key)) {
    // Keys in here are names of properties: a property may be called `type` or `nullable`.
    return Object.fromEntries(
      Object.entries(asObject(value) ?? {}).map(([name, schema]) => [
        name,
        decodeAny(schema, depth),
      ]),
    )
  }
  if ((counts as readonly string[]).includes(key) && typeof value === 'string') return Number(value)
  return value
}

function decodeAny(value: unknown, depth: number): unknown {
  const schema = asObject(value)
  return schema && depth < DEEPEST ? decodeSchema(schema, depth + 1) : value
}

/**
 * Google's Schema, a subset of OpenAPI 3.0 with types in capitals, as JSON Schema
 * (https://ai.google.dev/api/caching#Schema). `nullable` becomes a second type, `example` a list.
 */
export function decodeSchema(schema: Record<string, unknown>, depth = 0): Record<string, unknown> {
  const isNullable = schema.nullable === true
  const decoded: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'nullable' || value === undefined) continue
    if (key === 'type') {
      const type = typeOf(value, isNullable)
      if (type !== undefined) decoded.type = type
    } else if (key === 'example') {
      decoded.examples = [value]
    } else if (key === 'format' && value === 'enum') {
      // Google's own mark beside `enum`; elsewhere an unknown format.
    } else if (key === 'enum' && isNullable && Array.isArray(value)) {
      decoded.enum = value.includes(null) ? value : [...value, null]
    } else {
      decoded[keyOf[key] ?? key] = decodeValue(key, value, depth)
    }
  }
  if (isNullable && decoded.type === undefined && Array.isArray(decoded.anyOf)) {
    decoded.anyOf = [...decoded.anyOf, { type: 'null' }]
  }
  return decoded
}
