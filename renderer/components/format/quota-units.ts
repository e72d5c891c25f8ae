const unitsPerDollar = 500_000

/** Dollars, or the text being typed, as whole quota units. */
export const unitsOf = (dollars: number | string): number =>
  Math.round((Number(dollars) || 0) * unitsPerDollar)

/** Quota units as dollars, to be edited. */
export const dollarsOf = (units: number): number => units / unitsPerDollar
