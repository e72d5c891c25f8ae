import type { Native } from '../exchange.ts'

/**
 * What a wire object has beside the fields in `known`, to be put back when it goes to this format again;
 * as the part of a node to spread. Null says nothing and is left out.
 */
export function ownFields(
  object: Record<string, unknown>,
  known: ReadonlySet<string>,
): { native?: Native } {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(object)) {
    if (!known.has(name) && value !== null && value !== undefined) fields[name] = value
  }
  return Object.keys(fields).length === 0 ? {} : { native: { origin: 'chat', fields } }
}

/** Fields of this format's own that a node kept; none where it came from elsewhere. */
export const keptFields = (native: Native | undefined): Record<string, unknown> =>
  native?.origin === 'chat' ? native.fields : {}
