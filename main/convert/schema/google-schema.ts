import { ownValue } from '../../base/own-value.ts'
import type { LossPart } from '../../base/sentences/loss-notes.ts'
import { ExactNumber, stringifyExact } from '../json/exact-json.ts'
import { asArray, asObject, asString, wordOf } from '../json/json-value.ts'
import type { Loss } from '../loss.ts'
import {
  flattenSchema,
  impliedType,
  ofType,
  type Schema,
  schemaBudget,
  typesOf,
} from './flat-schema.ts'

/** `Schema.type`: https://ai.google.dev/api/caching#Type */
const typeNames: Readonly<Record<string, string>> = {
  string: 'STRING',
  number: 'NUMBER',
  integer: 'INTEGER',
  boolean: 'BOOLEAN',
  array: 'ARRAY',
  object: 'OBJECT',
}
const formats: Readonly<Record<string, readonly string[]>> = {
  string: ['date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
}
/** Keywords that go on as they are, by type. */
const kept: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  array: ['minItems', 'maxItems'],
  object: ['minProperties', 'maxProperties'],
}
/** Rules for which there is no keyword: the model is told them in words. */
const untold = [
  ...['not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas', 'patternProperties'],
  ...['propertyNames', 'contains', 'minContains', 'maxContains', 'uniqueItems', 'multipleOf'],
]
const LONGEST_RULE = 300
const MOST_NODES = 5000
const DEEPEST = 40

// Each one value, so that a set holds it once.
const BROKEN = { code: 'broken_reference' } as const
const RECURSION = { code: 'recursion' } as const
const ORDER = { code: 'items_in_order' } as const
const TYPES = { code: 'type_of_values' } as const
const ANY_TYPE = { code: 'values_of_any_type' } as const
const REQUIRED = { code: 'required_keys' } as const

/** One conversion to the OpenAPI subset. */
class GoogleSchema {
  /** Keywords dropped from the schema, each once. */
  readonly changes = new Set<LossPart>()
  readonly #root: Schema
  readonly #budget = schemaBudget()
  #nodes = 0

  constructor(root: Schema) {
    this.#root = root
  }

  write(value: unknown, path: readonly string[], depth: number): Schema {
    this.#nodes++
    const flat = flattenSchema(this.#root, value, path, this.#budget)
    if (flat.isBroken) this.changes.add(BROKEN)
    if (flat.cutAt !== null || this.#nodes > MOST_NODES || depth > DEEPEST) {
      this.changes.add(RECURSION)
      const description = flat.cutAt === null ? 'Any object.' : `Another ${flat.cutAt}.`
      return { type: 'OBJECT', description }
    }
    return this.#writeFlat(flat.schema, flat.path, depth)
  }

  #writeFlat(schema: Schema, path: readonly string[], depth: number): Schema {
    const { title, description, anyOf, oneOf, nullable, ...rest } = schema
    const types = typesOf(rest).filter((type) => type in typeNames || type === 'null')
    const values = 'const' in rest ? [rest.const] : asArray(rest.enum)
    const isNullable = nullable === true || types.includes('null') || values.includes(null)
    const rules: string[] = []
    const wordsFor = (isNull: boolean): Schema => {
      const text = [asString(description), ...rules].filter(Boolean).join('\n')
      return {
        ...(typeof title === 'string' ? { title } : {}),
        ...(text === '' ? {} : { description: text }),
        ...(isNull ? { nullable: true } : {}),
      }
    }
    const inner = (part: unknown) => this.write(part, path, depth + 1)

    const union = asArray(anyOf).length > 0 ? asArray(anyOf) : asArray(oneOf)
    if (union.length > 0) {
      if (anyOf === undefined) this.changes.add('oneOf')
      else if (oneOf !== undefined) this.#tell('oneOf', oneOf, rules)
      const others = types.includes('null') ? { ...rest, type: withoutNull(types) } : rest
      const hasOthers = Object.keys(others).some((keyword) => !silent.has(keyword))
      const members = union
        .filter((member) => !isNullSchema(member))
        .map((member) => inner(hasOthers ? { allOf: [member, others] } : member))
      return united(members, isNullable || members.length < union.length, wordsFor)
    }
    const wanted = withoutNull(types)
    if (wanted.length < types.length && wanted.length === 0) {
      return { type: 'STRING', ...wordsFor(true) }
    }
    if (wanted.length > 1 && values.length === 0) {
      const members = wanted.map((type) => inner(ofType(rest, type)))
      return united(members, isNullable, wordsFor)
    }
    const written =
      values.length > 0
        ? this.#values(values, wanted[0], rules)
        : this.#typed(wanted[0] ?? impliedType(rest), rest, rules, inner)
    return { ...written, ...wordsFor(isNullable) }
  }

  /** Only strings can be listed. Numbers become strings; of truth values the type is kept. */
  #values(values: readonly unknown[], type: string | undefined, rules: string[]): Schema {
    const listed = values.filter((value) => value !== null)
    if (listed.length === 0) return { type: 'STRING' }
    if (listed.every((value) => typeof value === 'boolean')) {
      if (new Set(listed).size === 1) this.#tell('const', listed[0], rules)
      return { type: 'BOOLEAN' }
    }
    if (listed.some((value) => typeof value === 'object' && !(value instanceof ExactNumber))) {
      this.#tell('enum', listed, rules)
      const name =
        ownValue(typeNames, type ?? (listed.some(Array.isArray) ? 'array' : 'object')) ?? 'OBJECT'
      return name === 'ARRAY' ? { type: name, items: { type: 'STRING' } } : { type: name }
    }
    const texts = listed.map((value) => (typeof value === 'string' ? value : stringifyExact(value)))
    if (!listed.every((value) => typeof value === 'string')) this.changes.add(TYPES)
    // An empty string in the list is refused.
    const named = [...new Set(texts)].filter((text) => text !== '')
    if (named.length < new Set(texts).size) this.#tell('enum', texts, rules)
    return texts.includes('') ? { type: 'STRING' } : { type: 'STRING', enum: named }
  }

  #typed(
    type: string | undefined,
    schema: Schema,
    rules: string[],
    inner: (part: unknown) => Schema,
  ): Schema {
    for (const keyword of untold) {
      const value = schema[keyword]
      if (value !== undefined && value !== false) this.#tell(keyword, value, rules)
    }
    if (schema.default !== undefined) rules.push(`Default: ${short(schema.default)}`)
    if (type === undefined) {
      this.changes.add(ANY_TYPE)
      rules.push('Any JSON value.')
      return { type: 'STRING' }
    }
    const written: Schema = { type: ownValue(typeNames, type) }
    for (const keyword of ownValue(kept, type) ?? []) {
      if (schema[keyword] !== undefined) written[keyword] = schema[keyword]
    }
    const format = asString(schema.format)
    if (format !== undefined) {
      if (ownValue(formats, type)?.includes(format)) written.format = format
      else this.#tell('format', format, rules)
    }
    if (type === 'number' || type === 'integer') this.#bounds(type, schema, written, rules)
    if (type === 'array') this.#items(schema, written, rules, inner)
    if (type === 'object') this.#properties(schema, written, rules, inner)
    return written
  }

  /** There is no exclusive bound; for integers the next one says the same. */
  #bounds(type: string, schema: Schema, written: Schema, rules: string[]): void {
    for (const [exclusive, inclusive, step] of [
      ['exclusiveMinimum', 'minimum', 1],
      ['exclusiveMaximum', 'maximum', -1],
    ] as const) {
      const limit = schema[exclusive]
      // Draft 4 has a truth value here, about the bound beside it.
      const bound = limit === true ? schema[inclusive] : limit
      if (typeof bound !== 'number' && !(bound instanceof ExactNumber)) continue
      const isNext = type === 'integer' && Number.isSafeInteger(bound)
      const next = isNext ? Number(bound) + step : bound
      if (!isNext) this.#tell(exclusive, bound, rules)
      const own = limit === true ? undefined : written[inclusive]
      const isTighter = own === undefined || (Number(next) - Number(own)) * step > 0
      if (isTighter) written[inclusive] = next
    }
  }

  #items(schema: Schema, written: Schema, rules: string[], inner: (part: unknown) => Schema): void {
    const tuple = asArray(schema.prefixItems ?? schema.items)
    if (tuple.length > 0) {
      this.#tell('items in this order', tuple, rules, ORDER)
      written.items = inner({ anyOf: tuple })
    } else {
      // An array without `items` is refused.
      written.items = inner(asObject(schema.items) ?? {})
    }
  }

  #properties(
    schema: Schema,
    written: Schema,
    rules: string[],
    inner: (part: unknown) => Schema,
  ): void {
    const entries = Object.entries(asObject(schema.properties) ?? {})
      .filter(([, part]) => part !== false)
      .map(([name, part]) => [name, inner(part)] as const)
    const names = new Set(entries.map(([name]) => name))
    const known = (list: unknown) => asArray(list).filter((name) => names.has(wordOf(name)))
    const required = known(schema.required)
    if (required.length < asArray(schema.required).length) this.changes.add(REQUIRED)
    const ordering = known(schema.propertyOrdering)
    // Neither an empty list of properties nor one of required names is taken.
    if (entries.length > 0) written.properties = Object.fromEntries(entries)
    if (required.length > 0) written.required = required
    if (ordering.length === names.size && names.size > 0) written.propertyOrdering = ordering
    const others = asObject(schema.additionalProperties)
    if (others && Object.keys(others).length > 0) {
      this.#tell('additionalProperties', others, rules)
    } else if (entries.length === 0 && schema.additionalProperties === true) {
      rules.push('An object with any keys.')
    }
  }

  #tell(keyword: string, value: unknown, rules: string[], change: LossPart = keyword): void {
    this.changes.add(change)
    rules.push(`${keyword}: ${short(value)}`)
  }
}

/** Stand at a schema without ruling anything. */
const silent = new Set([
  ...['$schema', '$id', '$comment', '$anchor', '$defs', 'definitions', 'examples', 'example'],
  ...['default', 'deprecated', 'readOnly', 'writeOnly'],
])

const withoutNull = (types: readonly string[]) => types.filter((type) => type !== 'null')

const isNullSchema = (value: unknown) => {
  const schema = asObject(value)
  return schema !== undefined && (schema.type === 'null' || schema.const === null)
}

function short(value: unknown): string {
  const text = stringifyExact(value)
  return text.length <= LONGEST_RULE ? text : `${text.slice(0, LONGEST_RULE)}…`
}

/** Alternatives as one schema: nothing but words may stand beside `anyOf`. */
function united(
  members: readonly Schema[],
  isNull: boolean,
  wordsFor: (isNull: boolean) => Schema,
): Schema {
  const flat = members.flatMap((member) =>
    Array.isArray(member.anyOf) && !member.description ? (member.anyOf as Schema[]) : [member],
  )
  const outer = wordsFor(isNull || members.some((member) => member.nullable === true))
  const single = [...new Map(flat.map((member) => [stringifyExact(member), member])).values()]
  const [first] = single
  if (!first) return { type: 'STRING', ...outer }
  if (single.length === 1) return { ...first, ...outer }
  // A list of constants is what it looks like.
  if (single.every((member) => Object.keys(member).sort().join() === 'enum,type')) {
    return { type: 'STRING', enum: single.flatMap(({ enum: values }) => asArray(values)), ...outer }
  }
  return { anyOf: single, ...outer }
}

/**
 * A JSON Schema as Gemini's older `parameters` and `responseSchema` take it, a subset of OpenAPI 3 in
 * which an unknown keyword fails the whole call: https://ai.google.dev/api/caching#Schema
 *
 * References are written out, recursion is cut, and what has no keyword there is told in descriptions and
 * noted once at `at`. For `parameters`, pass what `objectSchema` gives; an object without properties
 * becomes `{}`, which stands for leaving the field out.
 */
export function googleSchema(schema: Schema, loss: Loss, at: string): Schema {
  const google = new GoogleSchema(schema)
  const written = google.write(schema, [], 0)
  if (google.changes.size > 0) {
    loss.approximate(at, { code: 'schema_told', changes: [...google.changes] })
  }
  const isEmpty = written.type === 'OBJECT' && written.properties === undefined
  return isEmpty ? {} : written
}
