export const unitsPerDollar = 500_000

/** US dollars, or the text being typed, to whole quota units. */
export const unitsOf = (dollars: number | string): number =>
  Math.round((Number(dollars) || 0) * unitsPerDollar)

/** Quota units to US dollars. */
export const dollarsOf = (units: number): number => units / unitsPerDollar
