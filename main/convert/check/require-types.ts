import type { BodyRule } from '../../base/sentences/body-rules.ts'
import { ExactNumber } from '../json/exact-json.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asObject } from '../json/json-value.ts'
import { refuse } from './check-request.ts'

/** Types of JSON, and the rule that a value of another type breaks. */
const rules = {
  string: 'must_be_string',
  boolean: 'must_be_boolean',
  object: 'must_be_object',
  array: 'must_be_array',
  count: { code: 'must_be_number_of_at_least', least: 0 },
} as const satisfies Record<string, BodyRule>

type JsonType = keyof typeof rules

function typeOf(value: unknown): JsonType | null {
  if (value instanceof ExactNumber) return 'count'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return value >= 0 ? 'count' : null
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value as JsonType
  return asObject(value) ? 'object' : null
}

/** The value at a path, `text.format`; undefined where an object on the way is missing. */
const valueAt = (object: JsonObject, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => asObject(value)?.[name], object)

/**
 * Requires fields to be of these types where they are sent, so that conversion loses none for being unreadable. Null
 * says nothing. `place` is the path of `object` in its body; a path stands after that of the object around it.
 */
export function requireTypes(
  object: JsonObject,
  types: Readonly<Record<string, JsonType>>,
  place = '',
): void {
  for (const [path, type] of Object.entries(types)) {
    const value = valueAt(object, path)
    if (value === undefined || value === null || typeOf(value) === type) continue
    refuse(place === '' ? path : `${place}.${path}`, rules[type])
  }
}
