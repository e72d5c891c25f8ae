import type { JsonObject } from '../json/json-value.ts'
import { asArray, asObject } from '../json/json-value.ts'

/** Keywords under which schemas stand: by name, one alone, in a list. Other keys' values are no schemas. */
const maps = ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas']
const singles = [
  ...['items', 'additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'],
]
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items']

/** Deeper schemas are left as they are. */
const DEEPEST = 100

type Change = (schema: JsonObject) => JsonObject

function within(value: unknown, change: Change, depth: number): unknown {
  const schema = asObject(value)
  return schema && depth < DEEPEST ? walk(schema, change, depth) : value
}

function insideOf(keyword: string, value: unknown, change: Change, depth: number): unknown {
  if (maps.includes(keyword)) {
    const named = asObject(value)
    if (!named) return value
    const entries = Object.entries(named).map(
      ([name, one]) => [name, within(one, change, depth)] as const,
    )
    return entries.every(([name, one]) => one === named[name]) ? value : Object.fromEntries(entries)
  }
  if (lists.includes(keyword) && Array.isArray(value)) {
    const items = asArray(value)
    const changed = items.map((one) => within(one, change, depth))
    return changed.every((one, index) => one === items[index]) ? value : changed
  }
  return singles.includes(keyword) ? within(value, change, depth) : value
}

function walk(schema: JsonObject, change: Change, depth: number): JsonObject {
  const entries = Object.entries(schema).map(
    ([keyword, value]) => [keyword, insideOf(keyword, value, change, depth + 1)] as const,
  )
  const isSame = entries.every(([keyword, value]) => value === schema[keyword])
  return change(isSame ? schema : Object.fromEntries(entries))
}

/**
 * A JSON Schema with each schema in it, the innermost first, put through `change`. Names of properties are
 * never taken for keywords. Gives the same object where nothing changes.
 */
export const mapSchema = (schema: JsonObject, change: Change): JsonObject => walk(schema, change, 0)
