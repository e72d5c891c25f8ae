import type { Native } from '../exchange.ts'

/**
 * Fields of a wire object beside those in `known`, to be put back when it goes to this format again;
 * as the part of a node to spread. Null says nothing and is left out.
 */
export function ownFields(
  object: Record<string, unknown>,
  known: ReadonlySet<string>,
): { native?: Native } {
  let fields: Record<string, unknown> | undefined
  // A loop, because every object of a conversation comes by here, and most have nothing.
  for (const name in object) {
    if (known.has(name)) continue
    const value = object[name]
    if (value === null || value === undefined) continue
    fields ??= {}
    fields[name] = value
  }
  return fields ? { native: { origin: 'chat', fields } } : {}
}

/** Fields of this format's own that a node kept; none where it came from elsewhere. */
export const keptFields = (native: Native | undefined): Record<string, unknown> =>
  native?.origin === 'chat' ? native.fields : {}
