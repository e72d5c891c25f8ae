import type { Native } from '../exchange.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asObject } from '../json/json-value.ts'

/** Fields of a wire object beside those in `known`. Null says nothing and is left out. */
export function fieldsBeside(object: JsonObject, known: ReadonlySet<string>): JsonObject {
  let fields: JsonObject | undefined
  // A loop, because every object of a conversation comes by here, and most have nothing.
  for (const name in object) {
    if (known.has(name)) continue
    const value = object[name]
    if (value === null || value === undefined) continue
    // Without a prototype, `__proto__` is a name like any other.
    fields ??= Object.create(null) as JsonObject
    fields[name] = value
  }
  return fields ?? {}
}

/** Fields under the path of the object they stand in, by which a loss is noted: `functionCall.willContinue`. */
export const fieldsUnder = (path: string, fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${path}.${name}`, value]))

/** Fields of the object in `path` beside `known`, under that path. */
export const innerFields = (path: string, value: unknown, known: ReadonlySet<string>): JsonObject =>
  fieldsUnder(path, fieldsBeside(asObject(value) ?? {}, known))

/** Keeps fields for the way back to their own format: to spread into a node, nothing where there are none. */
export const keepFields = (origin: Native['origin'], fields: JsonObject): { native?: Native } =>
  Object.keys(fields).length === 0 ? {} : { native: { origin, fields } }

/** Fields that a node keeps for `origin`; none where it came from elsewhere. */
export const keptFields = (origin: Native['origin'], native: Native | undefined): JsonObject =>
  native?.origin === origin ? native.fields : {}

/** An object with a value at the path; objects on the way are copied, or made where there are none. */
function withValue(
  object: JsonObject,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): JsonObject {
  const inner = rest.length === 0 ? value : withValue(asObject(object[name]) ?? {}, rest, value)
  return { ...object, [name]: inner }
}

/**
 * Puts back what `innerFields` took out of these fields of a body, and gives all other fields. A choice in one word
 * (`tool_choice: "auto"`) stays one.
 */
export function putInner(
  body: JsonObject,
  fields: JsonObject,
  heads: readonly string[],
): JsonObject {
  const others = Object.entries(fields).filter(([name, value]) => {
    const [head = '', ...path] = name.split('.')
    if (path.length === 0 || !heads.includes(head)) return true
    if (typeof body[head] !== 'string')
      body[head] = withValue(asObject(body[head]) ?? {}, path, value)
    return false
  })
  return Object.fromEntries(others)
}
