import type { Native } from '../exchange.ts'
import { fieldsBeside, keepFields, keptFields as keptBy } from '../foreign/kept-fields.ts'
import type { JsonObject } from '../json/json-value.ts'

/** Fields of a wire object beside those in `known`, as the part of a node to spread. */
export const ownFields = (object: JsonObject, known: ReadonlySet<string>): { native?: Native } =>
  keepFields('messages', fieldsBeside(object, known))

export const keptFields = (native: Native | undefined): JsonObject => keptBy('messages', native)
