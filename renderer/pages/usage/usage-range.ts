/** `own` takes two dates. */
export const rangeNames = ['today', 'week', 'days30', 'month', 'own'] as const
export type RangeName = (typeof rangeNames)[number]

/** `all` is one step for the whole range. */
export type UsageStep = 'hour' | 'day' | 'week' | 'all'

/** Whole days of the local calendar, cut into steps. */
export interface UsageRange {
  /** First second of the first day, in unix seconds. */
  start: number
  /** Last second of the last day, in unix seconds. */
  end: number
  step: UsageStep
}

/** `2026-01-31`, in the local calendar. */
export type LocalDate = string

const HOUR = 3600
const DAY = 24 * HOUR
const LONGEST_BY_HOUR = 2
const LONGEST_BY_DAY = 92
/** Days. The gateway's limit. */
const LONGEST_BY_WEEK = 2000

/** Relative to the day `now`; an invalid date counts as that day. */
export function rangeOf(
  name: RangeName,
  own: { from: LocalDate; to: LocalDate },
  now: Date,
): UsageRange {
  const today = midnight(now)
  if (name === 'own') {
    const [first, last] = [readDate(own.from) ?? today, readDate(own.to) ?? today].sort(
      (one, other) => one.getTime() - other.getTime(),
    )
    return daysBetween(first ?? today, last ?? today)
  }
  if (name === 'week') return daysBetween(addDays(today, -6), today)
  if (name === 'days30') return daysBetween(addDays(today, -29), today)
  if (name === 'month')
    return daysBetween(new Date(today.getFullYear(), today.getMonth(), 1), today)
  return daysBetween(today, today)
}

/** The value of a `date` input. */
export function toLocalDate(date: Date): LocalDate {
  const two = (number: number) => String(number).padStart(2, '0')
  const year = String(date.getFullYear()).padStart(4, '0')
  return `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/**
 * Starts of all steps until now, so that quiet hours show too. Weeks start on Monday; hours are those of
 * UTC, as they are booked.
 */
export function stepsOf(range: UsageRange, now: number): number[] {
  const last = Math.min(range.end, now)
  const steps: number[] = []
  if (range.step === 'all') return [range.start]
  if (range.step === 'hour') {
    for (let time = range.start - (range.start % HOUR); time <= last; time += HOUR) steps.push(time)
    return steps
  }
  const days = range.step === 'week' ? 7 : 1
  const first = new Date(range.start * 1000)
  const sinceMonday = (first.getDay() + 6) % 7
  let date = days === 7 ? addDays(first, -sinceMonday) : first
  for (; date.getTime() / 1000 <= last; date = addDays(date, days)) {
    steps.push(date.getTime() / 1000)
  }
  return steps
}

/**
 * Starts of all steps until now, aligned with the rows. The gateway's calendar may differ from the local
 * one; its days would otherwise stand beside empty ones.
 */
export function stepsOfRows(times: readonly number[], range: UsageRange, now: number): number[] {
  const steps = stepsOf(range, now)
  const own = new Set(steps)
  const [first, ...later] = [...new Set(times)].sort((one, other) => one - other)
  const isByCalendar = range.step === 'day' || range.step === 'week'
  if (!isByCalendar || first === undefined || times.every((time) => own.has(time))) return steps
  const days = range.step === 'week' ? 7 : 1
  let earliest = first
  while (earliest > range.start) earliest = sameHour(earliest, -days)
  const found = [earliest]
  const fillUpTo = (end: number) => {
    let next = sameHour(found.at(-1) ?? end, days)
    for (; next < end; next = sameHour(next, days)) found.push(next)
  }
  // When clocks change in only one of the places, a row starts some hours off its step.
  const slack = (days * DAY) / 2
  for (const time of earliest === first ? later : [first, ...later]) {
    fillUpTo(time - slack)
    found.push(time)
  }
  fillUpTo(Math.min(range.end, now) + 1)
  return found
}

function daysBetween(first: Date, last: Date): UsageRange {
  // A year being typed may be too early; 0 would mean no start at all.
  const start = Math.max(1, midnight(first).getTime() / 1000)
  const end = addDays(midnight(last), 1).getTime() / 1000 - 1
  const days = Math.round((end - start) / 86_400)
  return { start, end, step: stepFor(days) }
}

function stepFor(days: number): UsageStep {
  if (days <= LONGEST_BY_HOUR) return 'hour'
  if (days <= LONGEST_BY_DAY) return 'day'
  return days <= LONGEST_BY_WEEK ? 'week' : 'all'
}

const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate())

/** The same time of day, some days later. */
function sameHour(seconds: number, days: number): number {
  const date = new Date(seconds * 1000)
  date.setDate(date.getDate() + days)
  return date.getTime() / 1000
}

/** By the calendar: a day on which clocks change has 23 or 25 hours. */
const addDays = (date: Date, days: number) =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() + days)

function readDate(text: LocalDate): Date | null {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00`) : null
  return date && !Number.isNaN(date.getTime()) ? date : null
}
