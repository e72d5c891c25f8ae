/** The spans that can be asked for by name; `own` takes two dates. */
export const rangeNames = ['today', 'week', 'days30', 'month', 'own'] as const
export type RangeName = (typeof rangeNames)[number]

/** `all` is one step for the whole range. */
export type UsageStep = 'hour' | 'day' | 'week' | 'all'

/** Whole days of this machine's calendar, cut into steps that a chart can show. */
export interface UsageRange {
  /** Unix seconds of the first day's beginning. */
  start: number
  /** Unix seconds of the last day's last second. */
  end: number
  step: UsageStep
}

/** `2026-01-31`, in the local calendar. */
export type LocalDate = string

const HOUR = 3600
const DAY = 24 * HOUR
const LONGEST_BY_HOUR = 2
const LONGEST_BY_DAY = 92
/** The gateway adds up no more of them. */
const LONGEST_BY_WEEK = 2000

/** The range of a name as seen on the day `now`; a date that is none counts as that day. */
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

/** The date as an input of type `date` takes it. */
export function toLocalDate(date: Date): LocalDate {
  const two = (number: number) => String(number).padStart(2, '0')
  const year = String(date.getFullYear()).padStart(4, '0')
  return `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/**
 * The beginnings of all steps up to now, so that a quiet hour has its place too. Weeks begin on Monday;
 * hours are full ones of UTC, as they are booked.
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
 * The beginnings of all steps up to now, at the times at which rows begin theirs. Where the gateway's
 * calendar is another than this machine's, its days would else stand beside empty ones.
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
  // Where clocks change in one of the places only, a row begins some hours beside the step before it.
  const slack = (days * DAY) / 2
  for (const time of earliest === first ? later : [first, ...later]) {
    fillUpTo(time - slack)
    found.push(time)
  }
  fillUpTo(Math.min(range.end, now) + 1)
  return found
}

function daysBetween(first: Date, last: Date): UsageRange {
  // A year that is still being typed may be one that no call was made in; 0 would mean no start at all.
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

/** The same time of the day, days later. */
function sameHour(seconds: number, days: number): number {
  const date = new Date(seconds * 1000)
  date.setDate(date.getDate() + days)
  return date.getTime() / 1000
}

/** By the calendar: a day in which the clocks change has 23 or 25 hours. */
const addDays = (date: Date, days: number) =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() + days)

function readDate(text: LocalDate): Date | null {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00`) : null
  return date && !Number.isNaN(date.getTime()) ? date : null
}
