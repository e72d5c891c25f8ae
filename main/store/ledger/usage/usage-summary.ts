import { unixSeconds } from '../../../base/clock.ts'
import { dayAfter, periodStarts, weekStart } from '../calendar.ts'
import { where } from '../sql-conditions.ts'
import type { Row, Statements } from '../statements.ts'
import type { ClosedHours } from './closed-hours.ts'
import { hourTables, lineConditions, SECONDS_PER_HOUR } from './hour-tables.ts'

export type UsageStep = 'hour' | 'day' | 'week' | 'all'
export type UsageKey = 'model' | 'channel' | 'token' | 'user'

export interface UsageQuestion {
  /** Unix seconds, both included. */
  start: number
  end: number
  by: UsageKey
  /** Days and weeks are this machine's, weeks begin on Monday. */
  step: UsageStep
  userId?: number
  username?: string
}

/** Usage of one model, channel, token or user in one step. */
export interface UsageSum {
  /** A model's name, or the id of a channel, token or user; 0 = none. */
  key: string
  /** Unix seconds of the step's start; of the first step the question's. */
  time: number
  /** Failed ones included. */
  calls: number
  errors: number
  unpriced: number
  quota: number
  promptTokens: number
  completionTokens: number
  cachedTokens: number
  /** Calls whose usage is an estimate. */
  estimated: number
}

const FIGURES = [
  'calls',
  'errors',
  'unpriced',
  'quota',
  'promptTokens',
  'completionTokens',
  'cachedTokens',
  'estimated',
] as const

/** How a key is found: in the sums by hour, and in the rows. */
const sources = {
  model: { table: hourTables.model, column: 'model' },
  user: { table: hourTables.model, column: 'user_id' },
  token: { table: hourTables.token, column: 'token_id' },
  channel: { table: hourTables.channel, column: 'channel_id' },
} as const

const LINE_SUMS = `sum(calls + errors) AS calls, sum(errors) AS errors, sum(unpriced) AS unpriced,
  total(quota) AS quota, total(prompt_tokens) AS promptTokens,
  total(completion_tokens) AS completionTokens, total(cached_tokens) AS cachedTokens,
  sum(estimated) AS estimated`

const ROW_SUMS = `count(*) AS calls, sum(type = 5) AS errors, sum(unpriced) AS unpriced,
  total(quota) AS quota, total(prompt_tokens) AS promptTokens,
  total(completion_tokens) AS completionTokens, total(cached_tokens) AS cachedTokens,
  sum(estimated) AS estimated`

const SECONDS_PER_DAY = 86_400

/** From `from` to before `to`; `time` is the step that it belongs to. */
interface Span {
  time: number
  from: number
  to: number
}

/**
 * Use in steps, in order of time. Hours that a step's border cuts, as in time zones with half hours, are
 * read from their rows; where those are gone, an hour counts where it begins. The sums must be saved.
 */
export function summarizeUsage(
  statements: Statements,
  closed: ClosedHours,
  question: UsageQuestion,
): UsageSum[] {
  const { hours, pieces } = cut(spansOf(question), keptSince(statements))
  const { table, column } = sources[question.by]
  const { userId, username } = question
  const person = where([['1 = ?', 1], ...lineConditions(table, { userId, username })])
  const read = (source: string, time: string, figures: string, spans: readonly Span[]): Row[] =>
    spans.length === 0
      ? []
      : statements.all(
          // The spans lead, so that each is one search in the table's order of time.
          `WITH span AS MATERIALIZED (
             SELECT key AS place, value ->> 0 AS begins, value ->> 1 AS ends FROM json_each(?))
           SELECT span.place AS place, ${column} AS key, ${figures}
           FROM span CROSS JOIN ${source} ON ${time} >= span.begins AND ${time} < span.ends
           ${person.sql} GROUP BY 1, 2`,
          [JSON.stringify(spans.map(({ from, to }) => [from, to])), ...person.values],
        )

  const parts = hours.flatMap(withoutNewest)
  const nameOf = ({ from, to }: Span) =>
    JSON.stringify([question.by, from, to, userId ?? null, username ?? null])
  const unknown = parts.filter((span) => closed.take(nameOf(span)) === undefined)
  const found = new Map<number, Row[]>()
  for (const row of read(table.name, 'hour', LINE_SUMS, unknown)) {
    const place = Number(row.place)
    const rows = found.get(place)
    if (rows) rows.push(row)
    else found.set(place, [row])
  }
  const fresh = new Map(unknown.map((span, place) => [span, found.get(place) ?? []]))
  for (const [span, rows] of fresh) closed.keep(nameOf(span), span.to, rows)
  const rowSource = '(SELECT * FROM calls WHERE type IN (2, 5)) AS source'
  return merge([
    ...parts.flatMap((span) =>
      (fresh.get(span) ?? closed.take(nameOf(span)) ?? []).map((row) => ({
        ...row,
        time: span.time,
      })),
    ),
    ...read(rowSource, 'created_at', ROW_SUMS, pieces).map((row) => ({
      ...row,
      time: pieces[Number(row.place)]?.time,
    })),
  ])
}

/** A span that reaches into the last day, cut there: what is before changes no more. */
function withoutNewest(span: Span): Span[] {
  const border = hourOf(unixSeconds() - SECONDS_PER_DAY)
  if (span.to <= border || span.from >= border) return [span]
  return [
    { ...span, to: border },
    { ...span, from: border },
  ]
}

/** The first hour of which no row is gone. */
function keptSince(statements: Statements): number {
  const [found] = statements.all('SELECT min(created_at) AS time FROM calls')
  if (typeof found?.time !== 'number') return Number.MAX_SAFE_INTEGER
  const hour = hourOf(found.time)
  const [counts] = statements.all(
    `SELECT (SELECT sum(calls + errors) FROM usage_hours WHERE hour = ?) AS booked,
       (SELECT count(*) FROM calls WHERE created_at < ? AND type IN (2, 5)) AS kept`,
    [hour, hour + SECONDS_PER_HOUR],
  )
  return Number(counts?.booked) > Number(counts?.kept) ? hour + SECONDS_PER_HOUR : hour
}

/** The steps of a question that have something of it. */
function spansOf({ start, end, step }: UsageQuestion): Span[] {
  if (step === 'all') return [{ time: start, from: start, to: end + 1 }]
  const spans: Span[] = []
  let time = stepStart[step](start)
  while (time <= end) {
    const next = stepAfter[step](time)
    spans.push({ time, from: Math.max(time, start), to: Math.min(next, end + 1) })
    time = next
  }
  return spans
}

const hourOf = (time: number): number => time - (time % SECONDS_PER_HOUR)

const stepStart = {
  hour: hourOf,
  day: (time: number) => periodStarts(time).day,
  week: weekStart,
}

const stepAfter = {
  hour: (time: number) => time + SECONDS_PER_HOUR,
  day: (time: number) => dayAfter(time),
  week: (time: number) => dayAfter(time, 7),
}

/** Cuts spans into whole hours and what is left at their borders, as far as there are rows to look at. */
function cut(spans: readonly Span[], keptSince: number): { hours: Span[]; pieces: Span[] } {
  const border = (time: number): number =>
    time === hourOf(time) || hourOf(time) >= keptSince ? time : hourOf(time) + SECONDS_PER_HOUR
  const hours: Span[] = []
  const pieces: Span[] = []
  for (const span of spans) {
    const { time } = span
    const [from, to] = [border(span.from), border(span.to)]
    const first = hourOf(from + SECONDS_PER_HOUR - 1)
    const last = hourOf(to)
    const parts =
      first > last
        ? [[from, to]]
        : [
            [from, first],
            [last, to],
          ]
    for (const [from = 0, to = 0] of parts) if (from < to) pieces.push({ time, from, to })
    if (first < last) hours.push({ time, from: first, to: last })
  }
  return { hours, pieces }
}

/** A step's whole hours and the pieces at its borders in one. */
function merge(rows: readonly Row[]): UsageSum[] {
  const sums = new Map<string, UsageSum>()
  for (const row of rows) {
    const sum = { key: String(row.key), time: Number(row.time), ...figuresOf(row) }
    const name = `${sum.time} ${sum.key}`
    const before = sums.get(name)
    if (!before) sums.set(name, sum)
    else for (const figure of FIGURES) before[figure] += sum[figure]
  }
  return [...sums.values()].sort((one, other) => one.time - other.time)
}

const figuresOf = (row: Row) =>
  Object.fromEntries(FIGURES.map((name) => [name, Number(row[name])])) as Record<
    (typeof FIGURES)[number],
    number
  >
