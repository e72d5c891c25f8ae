import type { UsageStep } from './usage-range.ts'

/** Seconds. */
const HALF_A_DAY = 12 * 3600

/** The text of a step by its start. Hours within one day need no date. */
export function labelOfStep(
  language: string,
  step: UsageStep,
  isOneDay: boolean,
): (seconds: number) => string {
  const date = isOneDay ? {} : ({ month: 'short', day: 'numeric' } as const)
  const format = new Intl.DateTimeFormat(
    language,
    step === 'hour'
      ? { ...date, hour: '2-digit', minute: '2-digit', hour12: false }
      : { month: 'short', day: 'numeric' },
  )
  // A day of the gateway's calendar may begin late on the day before here: its middle tells which it is.
  const shift = step === 'day' ? HALF_A_DAY : 0
  return (seconds) => format.format(new Date((seconds + shift) * 1000))
}
