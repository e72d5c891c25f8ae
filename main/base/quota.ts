/** Quota is counted in whole units; this many are worth one US dollar. */
export const UNITS_PER_USD = 500_000

/** The largest quota a token or user can hold: one thousand million US dollars. */
export const MAX_QUOTA = 1_000_000_000 * UNITS_PER_USD
