import { unixSeconds } from '../../base/clock.ts'
import type { CallFilter } from './call-row.ts'
import { indexedConditions, otherConditions, where } from './sql-conditions.ts'
import type { Row, Statements } from './statements.ts'
import { hourTableFor, lineConditions, SECONDS_PER_HOUR } from './usage/hour-tables.ts'

export interface CallStat {
  quota: number
  /** Calls and tokens of the last 60 seconds, whatever the filter's times. */
  rpm: number
  tpm: number
  /** Model calls, failed ones included. */
  calls: number
  errors: number
  promptTokens: number
  completionTokens: number
}

const FIGURES = ['calls', 'errors', 'quota', 'promptTokens', 'completionTokens'] as const
/** `calls` are the answered ones here. */
type Figures = Record<(typeof FIGURES)[number], number>

/** Whole hours are read from their sums, which must be saved, unless the filter asks what only rows know. */
export function statOfCalls(statements: Statements, filter: CallFilter): CallStat {
  const sums = sumOf(statements, filter)
  const { end: _end, ...now } = filter
  const minute = sumRows(statements, { ...now, start: unixSeconds() - 59 })
  return {
    quota: sums.quota,
    rpm: minute.calls + minute.errors,
    tpm: minute.promptTokens + minute.completionTokens,
    calls: sums.calls + sums.errors,
    errors: sums.errors,
    promptTokens: sums.promptTokens,
    completionTokens: sums.completionTokens,
  }
}

function sumOf(statements: Statements, filter: CallFilter): Figures {
  const { type, ...ofAnyType } = filter
  if (type === 2) {
    // No sum knows the types apart, but failed calls are few and have an index.
    const failed = sumRows(statements, { ...filter, type: 5 })
    return combine(sumOf(statements, ofAnyType), failed, (all, part) => all - part)
  }
  const { start = 0, end = Number.MAX_SAFE_INTEGER } = filter
  const firstHour = Math.ceil(start / SECONDS_PER_HOUR) * SECONDS_PER_HOUR
  const hoursEnd = Math.floor((end + 1) / SECONDS_PER_HOUR) * SECONDS_PER_HOUR
  const { isExact } = hourTableFor(filter)
  if (type !== undefined || !isExact || firstHour >= hoursEnd) return sumRows(statements, filter)
  return [
    sumHours(statements, filter, firstHour, hoursEnd),
    ...(start < firstHour ? [sumRows(statements, { ...filter, end: firstHour - 1 })] : []),
    ...(hoursEnd <= end ? [sumRows(statements, { ...filter, start: hoursEnd })] : []),
  ].reduce((one, other) => combine(one, other, (sum, part) => sum + part))
}

function sumHours(statements: Statements, filter: CallFilter, from: number, to: number): Figures {
  const { table } = hourTableFor(filter)
  const { sql, values } = where([
    ['hour >= ?', from],
    ['hour < ?', to],
    ...lineConditions(table, filter),
  ])
  const [sums] = statements.all(
    `SELECT sum(calls) AS calls, sum(errors) AS errors, total(quota) AS quota,
       total(prompt_tokens) AS promptTokens, total(completion_tokens) AS completionTokens
     FROM ${table.name} ${sql}`,
    values,
  )
  return toFigures(sums)
}

function sumRows(statements: Statements, filter: CallFilter): Figures {
  const { sql, values } = where([
    ...indexedConditions(filter),
    ...otherConditions(filter),
    // Top-ups and the like are no use of the gateway.
    ...(filter.type === undefined ? [['type IN (2, 5, ?)', 2] as const] : []),
  ])
  const [sums] = statements.all(
    `SELECT sum(type = 2) AS calls, sum(type = 5) AS errors, total(quota) AS quota,
       total(prompt_tokens) AS promptTokens, total(completion_tokens) AS completionTokens
     FROM calls ${sql}`,
    values,
  )
  return toFigures(sums)
}

/** The sum of no rows is null. */
const toFigures = (row: Row | undefined): Figures =>
  Object.fromEntries(FIGURES.map((name) => [name, Number(row?.[name] ?? 0)])) as Figures

const combine = (one: Figures, other: Figures, by: (a: number, b: number) => number): Figures =>
  Object.fromEntries(FIGURES.map((name) => [name, by(one[name], other[name])])) as Figures
