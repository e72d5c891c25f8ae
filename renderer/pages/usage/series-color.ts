/** Works in both themes; null is the summed-up series. */
export const seriesColor = (index: number | null): string =>
  index === null ? 'var(--series-others)' : `var(--series-${index})`
