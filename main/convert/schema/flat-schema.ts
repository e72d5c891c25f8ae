import { stringifyExact } from '../json/exact-json.ts'
import { asArray, asObject, asString } from '../json/json-value.ts'

export type Schema = Record<string, unknown>

/** One schema without references and `allOf` at its top. */
export interface FlatSchema {
  schema: Schema
  /** References that lead here from the root: one that comes again is recursion. */
  path: readonly string[]
  /** Name of a reference that was not followed, because it had come often enough. */
  cutAt: string | null
  /** A reference that leads nowhere in this document. */
  isBroken: boolean
}

/** Keywords of which a merge keeps the larger, or the smaller. */
const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
/** Words about a schema, of which the outer ones count. */
const words = ['title', 'description', 'default', 'examples', '$comment']

/** `#/$defs/Node` to `Node`. */
export const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1) || 'the whole'

/** Target of a reference within the document; undefined for any other. */
function resolveRef(root: Schema, ref: string): unknown {
  if (ref === '#') return root
  if (!ref.startsWith('#/')) return undefined
  let node: unknown = root
  for (const step of ref.slice(2).split('/')) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined
    node = (node as Record<string, unknown>)[key]
  }
  return node
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

/** The types a schema names; none when it leaves them open. */
export const typesOf = (schema: Schema): string[] =>
  (Array.isArray(schema.type) ? schema.type : [schema.type]).filter(
    (type): type is string => typeof type === 'string',
  )

function commonTypes(a: string[], b: string[]): string[] {
  const both = a.flatMap((type) => {
    if (b.includes(type)) return [type]
    if (type === 'number' && b.includes('integer')) return ['integer']
    return type === 'integer' && b.includes('number') ? ['integer'] : []
  })
  return both.length > 0 ? both : a
}

function bothValues(keyword: string, a: unknown, b: unknown): unknown {
  if (lowerBounds.includes(keyword)) return Number(a) >= Number(b) ? a : b
  if (upperBounds.includes(keyword)) return Number(a) <= Number(b) ? a : b
  if (keyword === 'required') return [...new Set([...asArray(a), ...asArray(b)])]
  if (keyword === 'type') {
    const types = commonTypes(typesOf({ type: a }), typesOf({ type: b }))
    return types.length === 1 ? types[0] : types
  }
  if (keyword === 'enum') {
    const others = new Set(asArray(b).map(stringifyExact))
    const both = asArray(a).filter((value) => others.has(stringifyExact(value)))
    return both.length > 0 ? both : a
  }
  if (keyword === 'properties' || keyword === '$defs' || keyword === 'definitions') {
    return bothProperties(asObject(a) ?? {}, asObject(b) ?? {}, keyword === 'properties')
  }
  if (keyword === 'items' && asObject(a) && asObject(b)) return { allOf: [a, b] }
  // A socket that one side closed is closed.
  if (keyword === 'additionalProperties' && (a === false || b === false)) return false
  return words.includes(keyword) ? a : b
}

function bothProperties(a: Schema, b: Schema, isMerged: boolean): Schema {
  const entries = new Map(Object.entries(a))
  for (const [name, value] of Object.entries(b)) {
    const own = entries.get(name)
    const isSame =
      own === undefined || own === value || stringifyExact(own) === stringifyExact(value)
    entries.set(name, isSame || !isMerged ? value : { allOf: [own, value] })
  }
  return Object.fromEntries(entries)
}

/** A schema for what both allow, as near as one object of keywords comes to that. `outer`'s words count. */
export function mergeSchemas(outer: Schema, inner: Schema): Schema {
  const merged: Schema = { ...outer }
  for (const [keyword, value] of Object.entries(inner)) {
    const own = outer[keyword]
    merged[keyword] = own === undefined ? value : bothValues(keyword, own, value)
  }
  // Two unions: one is kept, the other stands beside it under the name that a reader looks for second.
  if (asArray(outer.anyOf).length > 0 && asArray(inner.anyOf).length > 0) {
    merged.anyOf = outer.anyOf
    merged.oneOf = inner.anyOf
  }
  return merged
}

/** Nodes that one conversion may still expand: schemas can double at every step. */
export interface SchemaBudget {
  left: number
}

export const schemaBudget = (): SchemaBudget => ({ left: 20_000 })

/** Deeper than anyone writes `allOf` in `allOf`. */
const DEEPEST = 100

/**
 * A schema with `$ref` and `allOf` at its top resolved. `path` is the way of references to it; one is
 * followed while it stands there less than `levels` times.
 */
export function flattenSchema(
  root: Schema,
  value: unknown,
  path: readonly string[],
  budget: SchemaBudget,
  levels = 1,
  depth = 0,
): FlatSchema {
  const flat: FlatSchema = { schema: {}, path, cutAt: null, isBroken: value === false }
  const source = asObject(value)
  if (!source) return flat
  if (budget.left-- <= 0 || depth > DEEPEST) return { ...flat, cutAt: 'schema' }
  const { $ref, allOf, ...rest } = source
  flat.schema = rest
  const add = (part: unknown, way: readonly string[]) => {
    const inner = flattenSchema(root, part, way, budget, levels, depth + 1)
    flat.schema = mergeSchemas(flat.schema, inner.schema)
    flat.path = [...flat.path, ...inner.path.slice(path.length)]
    flat.cutAt ??= inner.cutAt
    flat.isBroken ||= inner.isBroken
  }
  const ref = asString($ref)
  if (ref !== undefined) {
    const target = resolveRef(root, ref)
    if (path.filter((step) => step === ref).length >= levels) flat.cutAt = refName(ref)
    else if (target === undefined) flat.isBroken = true
    else add(target, [...path, ref])
  }
  for (const part of asArray(allOf)) {
    if (budget.left > 0) add(part, path)
    else flat.cutAt ??= 'schema'
  }
  return flat
}

const keywordsOfType: readonly [type: string, keywords: readonly string[]][] = [
  ['object', ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains']],
  ['string', ['pattern', 'format', 'minLength', 'maxLength']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]

/** The type that a schema without one must mean, by the keywords it has. */
export function impliedType(schema: Schema): string | undefined {
  return keywordsOfType.find(([, keywords]) => keywords.some((keyword) => keyword in schema))?.[0]
}

/** A schema of several types cut down to one: without the keywords of the others. */
export function ofType(schema: Schema, type: string): Schema {
  const own = type === 'integer' ? 'number' : type
  const others = keywordsOfType.filter(([name]) => name !== own).flatMap(([, names]) => names)
  const kept = Object.entries(schema).filter(
    ([keyword]) => !others.includes(keyword) && keyword !== 'nullable',
  )
  return { ...Object.fromEntries(kept), type }
}
