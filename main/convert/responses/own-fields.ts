import type { Native } from '../exchange.ts'
import {
  fieldsBeside as fieldsIn,
  keepFields,
  keptFields as keptBy,
} from '../foreign/kept-fields.ts'
import type { JsonObject } from '../json/json-value.ts'

/** Fields of an object beside the names in `known`. Assigning leaves out a field named `__proto__`. */
export const fieldsBeside = (object: JsonObject, known: ReadonlySet<string>): JsonObject =>
  Object.assign({}, fieldsIn(object, known))

/** Fields that go back into this format, as the part of a node to spread. */
export const ownNative = (fields: JsonObject): { native?: Native } =>
  keepFields('responses', fields)

export const keptFields = (native: Native | undefined): JsonObject => keptBy('responses', native)

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
