import { stringifyExact } from '../json/exact-json.ts'
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

const formats = new Set([
  ...['date-time', 'time', 'date', 'duration', 'email'],
  ...['hostname', 'uri', 'ipv4', 'ipv6', 'uuid'],
])
/** Says nothing that an answer could break. */
const silent = new Set([
  '$schema',
  '$id',
  '$comment',
  '$anchor',
  '$defs',
  'definitions',
  'nullable',
])
/** A recursive form is written out so many times. */
const LEVELS = 3
const MOST_NODES = 4000
const DEEPEST = 60

/** One conversion to the schema of Anthropic's structured output. */
class OutputSchema {
  isChanged = false
  readonly #root: Schema
  readonly #budget = schemaBudget()
  #nodes = 0

  constructor(root: Schema) {
    this.#root = root
  }

  write(value: unknown, path: readonly string[], depth: number): Schema {
    this.#nodes++
    const {
      schema,
      path: way,
      cutAt,
      isBroken,
    } = flattenSchema(this.#root, value, path, this.#budget, LEVELS)
    if (isBroken) this.isChanged = true
    if (cutAt !== null || this.#nodes > MOST_NODES || depth > DEEPEST) {
      this.isChanged = true
      const description = `Nothing deeper${cutAt === null ? '' : ` than this ${cutAt}`} is given.`
      return { type: 'object', properties: {}, additionalProperties: false, description }
    }
    return this.#writeFlat(schema, way, depth)
  }

  #writeFlat(schema: Schema, path: readonly string[], depth: number): Schema {
    const { description, title, anyOf, oneOf, ...rest } = schema
    const union = asArray(anyOf).length > 0 ? anyOf : oneOf
    const words = { ...(title === undefined ? {} : { title }) }
    const { nullable, ...others } = rest
    const types = typesOf(rest)
    if (nullable === true && types.length > 0 && !types.includes('null')) types.push('null')
    const inner = (part: unknown) => this.write(part, path, depth + 1)

    if (asArray(union).length > 0) {
      // Keywords beside the alternatives hold for each of them.
      const members = asArray(union).map((member) =>
        inner(Object.keys(others).length > 0 ? { allOf: [member, others] } : member),
      )
      if (nullable === true) members.push({ type: 'null' })
      const left = union === anyOf && oneOf !== undefined ? { oneOf } : {}
      return { ...words, anyOf: members, ...this.#described(description, left) }
    }
    const values = literals(rest)
    if (values) {
      const { enum: _enum, const: _const, type: _type, ...left } = rest
      const written = 'const' in values ? values : { enum: values.enum }
      return { ...words, ...written, ...this.#described(description, left) }
    }
    if (types.length > 1) {
      const members = types.map((type) => inner(ofType(rest, type)))
      return { ...words, anyOf: members, ...this.#described(description, {}) }
    }
    const { type: _type, ...keywords } = rest
    const { written, left } = this.#typed(types[0] ?? impliedType(rest), keywords, inner)
    return { ...written, ...words, ...this.#described(description, left) }
  }

  #typed(type: string | undefined, keywords: Schema, inner: (part: unknown) => Schema) {
    if (type === 'object') {
      const { properties, required, additionalProperties, ...left } = keywords
      const names = Object.entries(asObject(properties) ?? {})
      const written = {
        type,
        properties: Object.fromEntries(names.map(([name, part]) => [name, inner(part)])),
        additionalProperties: false,
        ...(required === undefined ? {} : { required }),
      }
      // Objects have to be closed. That narrows an open one, but says nothing new of one with free keys.
      const isFree = asObject(additionalProperties) || (additionalProperties && names.length === 0)
      return { written, left: isFree ? { ...left, additionalProperties } : left }
    }
    if (type === 'array') {
      const { items, prefixItems, minItems, ...left } = keywords
      const tuple = asArray(prefixItems ?? items)
      const member = tuple.length > 0 ? { anyOf: tuple } : items
      const isMinimum = minItems === 0 || minItems === 1
      return {
        written: {
          type,
          ...(member === undefined ? {} : { items: inner(member) }),
          ...(isMinimum ? { minItems } : {}),
        },
        left: {
          ...left,
          ...(tuple.length > 0 ? { prefixItems: tuple } : {}),
          ...(minItems === undefined || isMinimum ? {} : { minItems }),
        },
      }
    }
    if (type === undefined) {
      this.isChanged = true
      const anyOf = ['string', 'number', 'boolean', 'null'].map((name) => ({ type: name }))
      return { written: { anyOf }, left: keywords }
    }
    const { format, ...left } = keywords
    if (format === undefined) return { written: { type }, left }
    return formats.has(wordOf(format)) && type === 'string'
      ? { written: { type, format }, left }
      : { written: { type }, left: keywords }
  }

  /** A description that says what the schema no longer can. */
  #described(description: unknown, left: Schema): Schema {
    const rules = Object.entries(left).filter(
      ([keyword, value]) => !silent.has(keyword) && value !== undefined,
    )
    if (rules.length === 0) return typeof description === 'string' ? { description } : {}
    if (rules.some(([keyword]) => !['default', 'examples', 'example'].includes(keyword))) {
      this.isChanged = true
    }
    const text = rules.map(([keyword, value]) => `${keyword}: ${stringifyExact(value)}`).join(', ')
    return { description: [asString(description), `{${text}}`].filter(Boolean).join('\n\n') }
  }
}

/** The plain values a schema allows, if it lists such. */
function literals(schema: Schema): { enum: unknown[] } | { const: unknown } | undefined {
  const isPlain = (value: unknown) => value === null || typeof value !== 'object'
  if ('const' in schema && isPlain(schema.const)) return { const: schema.const }
  const values = asArray(schema.enum)
  return values.length > 0 && values.every(isPlain) ? { enum: [...values] } : undefined
}

/**
 * A schema for Anthropic's `output_config.format`: as the vendor's own SDK transforms it, every object
 * closed, what the vendor refuses put into descriptions, references written out. Rules that only stand in
 * a description from then on are noted at `at`.
 */
export function anthropicOutputSchema(schema: Schema, loss: Loss, at: string): Schema {
  const output = new OutputSchema(schema)
  const written = output.write(schema, [], 0)
  if (output.isChanged) {
    loss.approximate(at, 'schema_partly_told')
  }
  return written
}
