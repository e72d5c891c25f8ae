import type { JsonObject } from './json-value.ts'
import { asObject } from './json-value.ts'

/** Fields of the object in `path` beside `known`, under its path: `thinking.clear_thinking`. Null says nothing. */
export function innerFields(path: string, value: unknown, known: readonly string[]): JsonObject {
  const entries = Object.entries(asObject(value) ?? {})
  const others = entries.filter(([name, one]) => !known.includes(name) && (one ?? null) !== null)
  return Object.fromEntries(others.map(([name, one]) => [`${path}.${name}`, one]))
}

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
