import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import { useIsAdministrator } from '../../gateway/use-role.ts'
import { type Measure, measures } from './chart-data.ts'
import {
  type LocalDate,
  type RangeName,
  rangeNames,
  rangeOf,
  toLocalDate,
  type UsageRange,
} from './usage-range.ts'
import { type Dimension, dimensions } from './use-usage-names.ts'

/** Kept in the URL, so that a reload shows the same. */
export interface UsageView {
  range: RangeName
  from: LocalDate
  to: LocalDate
  by: Dimension
  /** Null until chosen. */
  measure: Measure | null
}

export function useUsageView(): [UsageView, (fields: Partial<UsageView>) => void] {
  const [params, setParams] = useSearchParams()
  const today = toLocalDate(new Date())
  const view: UsageView = {
    range: oneOf(rangeNames, params.get('range')) ?? 'week',
    from: params.get('from') ?? today,
    to: params.get('to') ?? today,
    by: oneOf(dimensions, params.get('by')) ?? 'model',
    measure: oneOf(measures, params.get('show')),
  }
  const change = (fields: Partial<UsageView>) => {
    const { range, from, to, by, measure } = { ...view, ...fields }
    setParams(
      {
        range,
        ...(range === 'own' ? { from, to } : {}),
        by,
        ...(measure === null ? {} : { show: measure }),
      },
      { replace: true },
    )
  }
  return [view, change]
}

const oneOf = <Name extends string>(names: readonly Name[], text: string | null): Name | null =>
  names.find((name) => name === text) ?? null

/** Everybody's usage for administrators, else the user's own. */
export function useUsageQuery(view: UsageView) {
  const isAdministrator = useIsAdministrator()
  const by = isAdministrator || view.by === 'token' ? view.by : 'model'
  const day = toLocalDate(new Date())
  const { range: name, from, to } = view
  // A stable range within a day keeps the query's key stable.
  const range: UsageRange = useMemo(
    () => rangeOf(name, { from, to }, new Date(`${day}T00:00`)),
    [name, from, to, day],
  )
  const span = { start_timestamp: range.start, end_timestamp: range.end, step: range.step }
  const ofAll = useOperation(
    'usage.summary',
    { ...span, by },
    { enabled: isAdministrator, keepPrevious: true },
  )
  const ofOwn = useOperation(
    'usage.summary-self',
    { ...span, by: by === 'token' ? by : 'model' },
    { enabled: !isAdministrator, keepPrevious: true },
  )
  useRefreshOn('calls', [['usage.summary'], ['usage.summary-self']])
  return { query: isAdministrator ? ofAll : ofOwn, range, by, isAdministrator }
}
