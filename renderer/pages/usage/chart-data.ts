import { dollarsOf } from '../../components/format/quota-units.ts'
import type { UsageRow } from './usage-sums.ts'

/** US dollars, calls, or tokens. */
export const measures = ['cost', 'calls', 'tokens'] as const
export type Measure = (typeof measures)[number]

export interface ChartSeries {
  /** Without dots, which the chart would take for a path. */
  id: string
  /** Null for the sum of the smaller series. */
  key: string | null
}

export interface ChartData {
  series: ChartSeries[]
  /** One point per step: unix seconds, and the value of each series by its id. */
  points: ({ time: number } & Record<string, number>)[]
}

/** More can't be told apart by color. */
export const MOST_SERIES = 7

/** Stacked series over all steps; all but the largest are summed up as one. */
export function chartDataOf(
  rows: readonly UsageRow[],
  steps: readonly number[],
  measure: Measure,
): ChartData {
  const totals = new Map<string, number>()
  for (const row of rows) totals.set(row.key, (totals.get(row.key) ?? 0) + heightOf(row, measure))
  const keys = [...totals]
    .filter(([, total]) => total > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([key]) => key)
  const own = keys.slice(0, keys.length > MOST_SERIES ? MOST_SERIES - 1 : MOST_SERIES)
  const series: ChartSeries[] = own.map((key, index) => ({ id: `series${index}`, key }))
  if (keys.length > own.length) series.push({ id: 'others', key: null })

  const idOfKey = new Map(series.map(({ id, key }) => [key, id]))
  const times = [...new Set([...steps, ...rows.map(({ time }) => time)])].sort((a, b) => a - b)
  const byTime = new Map(times.map((time) => [time, emptyPoint(time, series)]))
  for (const row of rows) {
    const point = byTime.get(row.time)
    const id = idOfKey.get(row.key) ?? 'others'
    if (point && id in point) point[id] = (point[id] ?? 0) + heightOf(row, measure)
  }
  return { series, points: [...byTime.values()] }
}

const emptyPoint = (time: number, series: readonly ChartSeries[]): ChartData['points'][number] => ({
  ...Object.fromEntries(series.map(({ id }) => [id, 0])),
  time,
})

function heightOf(row: UsageRow, measure: Measure): number {
  if (measure === 'cost') return dollarsOf(row.quota)
  if (measure === 'calls') return row.calls
  return row.prompt_tokens + row.completion_tokens
}
