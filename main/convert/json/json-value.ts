/** Fields of a JSON object. */
export type JsonObject = Record<string, unknown>

/** A JSON object, or undefined for anything else (arrays and null included). */
export const asObject = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined

/** An array, or an empty one for anything else. */
export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A string, or undefined for anything else. */
export const asString = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

/** A count: a finite number of at least 0, or undefined for anything else. */
export const asCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

/** A count of tokens, also a whole one in quotes, as some vendors write it. */
export const asTokenCount = (value: unknown): number | undefined =>
  asCount(typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value)

/**
 * A value as a word, to compare it with others; empty for objects and lists. `String` calls a method of what
 * it is given, and the `toString` of a client's object may be anything.
 */
export const wordOf = (value: unknown): string => (typeof value === 'object' ? '' : String(value))
