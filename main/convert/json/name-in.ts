import type { JsonFields } from './json-fields.ts'
import { asObject, asString } from './json-value.ts'

/** A name in a field: a text, or the id of an object. Undefined for anything else. */
export function nameIn(body: JsonFields, field: string): string | undefined {
  const kind = body.kind(field)
  if (kind === 'string') return asString(body.get(field))
  return kind === 'object' ? asString(asObject(body.get(field))?.id) : undefined
}
