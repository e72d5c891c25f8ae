import type { JsonObject } from '../json/json-value.ts'
import type { Loss } from '../loss.ts'

/** The fields that the upstream knows, out of a client's; every other is noted as dropped. */
export function ownFields(fields: JsonObject, known: ReadonlySet<string>, loss: Loss): JsonObject {
  const own: JsonObject = {}
  for (const [name, value] of Object.entries(fields)) {
    if (known.has(name)) own[name] = value
    else loss.drop(name, 'upstream_without_field')
  }
  return own
}
