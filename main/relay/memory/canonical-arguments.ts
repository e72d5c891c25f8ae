import { ExactNumber, parseExact, stringifyExact } from '../../convert/json/exact-json.ts'
import { asObject } from '../../convert/json/json-value.ts'

function sorted(value: unknown): unknown {
  if (value instanceof ExactNumber) return value
  if (Array.isArray(value)) return value.map(sorted)
  const object = asObject(value)
  if (!object) return value
  return Object.fromEntries(
    Object.keys(object)
      .sort()
      .map((key) => [key, sorted(object[key])]),
  )
}

/**
 * A call's arguments in one spelling, for comparing: clients write them again with other spacing, escapes or
 * order of keys. What is no JSON stays as it is; nothing counts as an empty object.
 */
export function canonicalArguments(text: string): string {
  if (text.trim() === '') return '{}'
  try {
    return stringifyExact(sorted(parseExact(text)))
  } catch {
    // No JSON, or nested too deep to walk.
    return text
  }
}
