import type { Native } from '../exchange.ts'
import type { JsonObject } from '../json/json-value.ts'

/** Fields of an object beside the names in `known`. Null says nothing and is left out. */
export function fieldsBeside(object: JsonObject, known: ReadonlySet<string>): JsonObject {
  const fields: JsonObject = {}
  // A loop, because every object of a conversation comes by here, and most have nothing.
  for (const name in object) {
    if (known.has(name)) continue
    const value = object[name]
    if (value !== null && value !== undefined) fields[name] = value
  }
  return fields
}

/** The same of an object in a field, under dotted names: `reasoning.context`. */
export function fieldsUnder(
  name: string,
  object: JsonObject,
  known: ReadonlySet<string>,
): JsonObject {
  const inner = Object.entries(fieldsBeside(object, known))
  return Object.fromEntries(inner.map(([key, value]) => [`${name}.${key}`, value]))
}

/** Fields that go back into this format, as the part of a node to spread. */
export const ownNative = (fields: JsonObject): { native?: Native } =>
  Object.keys(fields).length === 0 ? {} : { native: { origin: 'responses', fields } }

/** Fields of this format's own that a node kept; none where it came from elsewhere. */
export const keptFields = (native: Native | undefined): JsonObject =>
  native?.origin === 'responses' ? native.fields : {}

/** Parts the plain names from the dotted ones, the latter gathered by the field that they stand in. */
export function expandFields(fields: JsonObject): {
  top: JsonObject
  within: Record<string, JsonObject>
} {
  const top: JsonObject = {}
  const within: Record<string, JsonObject> = {}
  for (const [name, value] of Object.entries(fields)) {
    const dot = name.indexOf('.')
    if (dot < 0) top[name] = value
    else {
      const field = name.slice(0, dot)
      within[field] = { ...within[field], [name.slice(dot + 1)]: value }
    }
  }
  return { top, within }
}

export const atOf = (at: string | undefined): { at?: string } => (at === undefined ? {} : { at })
