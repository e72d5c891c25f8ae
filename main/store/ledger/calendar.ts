/** Unix seconds at which the day, the month and the month after it begin, by this machine's calendar. */
export function periodStarts(now: number): { day: number; month: number; nextMonth: number } {
  const date = new Date(now * 1000)
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
  return {
    day: new Date(year, month, day).getTime() / 1000,
    month: new Date(year, month, 1).getTime() / 1000,
    nextMonth: new Date(year, month + 1, 1).getTime() / 1000,
  }
}

/** Unix seconds at which the day so many days after one begins. Days are 23 to 25 hours long. */
export function dayAfter(dayStart: number, days = 1): number {
  const date = new Date(dayStart * 1000)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime() / 1000
}

/** Unix seconds at which the week of a time begins: Monday, by this machine's calendar. */
export function weekStart(now: number): number {
  const { day } = periodStarts(now)
  return dayAfter(day, -((new Date(day * 1000).getDay() + 6) % 7))
}
