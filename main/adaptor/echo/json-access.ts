/** A JSON object of unknown content. */
export type Json = Record<string, unknown>

/** The object, or an empty one for anything else: Echo forgives what a vendor would refuse. */
export const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A whole number of at least 1, or null. */
export const asLimit = (value: unknown): number | null =>
  typeof value === 'number' && value >= 1 ? Math.floor(value) : null

/** A string or a list of them, without the empty ones. */
export const asTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map(asText).filter((text) => text !== '')
