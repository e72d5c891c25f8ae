import type { Native } from '../exchange.ts'
import { fieldsBeside, keepFields, keptFields as keptBy } from '../foreign/kept-fields.ts'
import type { JsonObject } from '../json/json-value.ts'

/** Fields of a wire object beside those in `known`, as the part of a node to spread. */
export function ownFields(object: JsonObject, known: ReadonlySet<string>): { native?: Native } {
  const own = keepFields('chat', fieldsBeside(object, known))
  // Assigning leaves out a field named `__proto__`.
  if (own.native) own.native.fields = Object.assign({}, own.native.fields)
  return own
}

export const keptFields = (native: Native | undefined): JsonObject => keptBy('chat', native)
