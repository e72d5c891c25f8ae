import { z } from 'zod'

/** A JSON Schema of the 2020-12 dialect, which OpenAPI 3.1 takes as it is. */
export interface JsonSchema {
  [keyword: string]: unknown
}

/** Fields of an object by their names, and which of them there must be. */
interface ObjectFields {
  fields: Record<string, JsonSchema>
  required: ReadonlySet<string>
  isClosed: boolean
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The types that a union allows; null where one of them is more than its type and a text's pattern. */
function plainTypes(union: unknown): Set<unknown> | null {
  if (!Array.isArray(union)) return null
  const isPlain = (one: JsonSchema) =>
    typeof one.type === 'string' && one.type !== 'object' && one.type !== 'array'
  return union.every(isPlain) ? new Set(union.map(({ type }) => type)) : null
}

/** Numbers and booleans are taken as the text that a query carries too, which would only blur the document. */
function withoutText(schema: JsonSchema): JsonSchema {
  const { anyOf, type, ...rest } = schema
  if (Array.isArray(type) && type.length === 2 && type.includes('string')) {
    const [other] = type.filter((one) => one !== 'string')
    return other === 'null' ? schema : { ...rest, type: other }
  }
  const types = plainTypes(anyOf)
  const isNumber = types?.has('integer') || types?.has('number')
  if (!types?.has('string') || !(isNumber || types.has('boolean'))) return schema
  const union = anyOf as JsonSchema[]
  // A text that is no number and no truth value is one of its own.
  const isOther = (one: JsonSchema) =>
    one.type === 'string' &&
    one.pattern === undefined &&
    one.enum === undefined &&
    !('const' in one)
  if (union.some(isOther)) return schema
  const kept = union.filter((one) => one.type !== 'string')
  return kept.length === 1 ? { ...kept[0], ...rest } : { ...rest, anyOf: kept }
}

/** The bounds of safe integers are those of every number in JSON: they say nothing. */
function withoutBounds({ minimum, maximum, ...schema }: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  }
}

const isSchema = (keyword: string): boolean => keyword !== 'properties' && keyword !== '$defs'

/** The same with references to the document's schemas, and without what only blurs it. */
function tidy(value: unknown, io: 'input' | 'output', keyword = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => tidy(one, io))
  if (!isObject(value)) return value
  const inner = Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      isSchema(keyword) && name === '$ref' && typeof one === 'string'
        ? one.replace('#/$defs/', '#/components/schemas/')
        : tidy(one, io, isSchema(keyword) ? name : ''),
    ]),
  )
  if (!isSchema(keyword)) return inner
  return withoutBounds(io === 'input' ? withoutText(inner) : inner)
}

/** Schemas that have a name of their own, gathered while those that use them are made. */
export class NamedSchemas {
  readonly all: Record<string, JsonSchema> = {}

  /** The JSON Schema of what is sent (`input`) or answered (`output`); named parts become references. */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const made = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema
    const { $schema: _dialect, $defs: named = {}, ...rest } = made
    for (const [name, one] of Object.entries(named as Record<string, JsonSchema>)) {
      this.all[name] = tidy(one, io) as JsonSchema
    }
    return tidy(rest, io) as JsonSchema
  }

  /** The fields of an operation's input. */
  fieldsOf(schema: z.ZodType): ObjectFields {
    const { properties, required, additionalProperties } = this.of(schema, 'input')
    return {
      fields: (properties ?? {}) as Record<string, JsonSchema>,
      required: new Set((required ?? []) as string[]),
      isClosed: additionalProperties === false,
    }
  }
}
