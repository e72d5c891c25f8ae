/** The colour of the series in this place of the chart, for both schemes; null is what is summed up. */
export const seriesColor = (index: number | null): string =>
  index === null ? 'var(--series-others)' : `var(--series-${index})`
