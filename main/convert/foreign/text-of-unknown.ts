import { asArray, asObject, asString } from '../json/json-value.ts'

/** Texts of a list of parts, or of one. */
function textOf(value: unknown): string {
  const plain = asString(value)
  if (plain !== undefined) return plain
  if (Array.isArray(value)) return asArray(value).map(textOf).join('')
  return asString(asObject(value)?.text) ?? ''
}

/**
 * Text of a piece that no other format knows: its `text`, or the texts of its `content`. Null
 * where it has none.
 */
export function textOfUnknown(value: Record<string, unknown>): string | null {
  const text = asString(value.text) ?? textOf(value.content)
  return text === '' ? null : text
}
