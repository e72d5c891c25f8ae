import { unixSeconds } from '../../base/clock.ts'
import { dayAfter, periodStarts } from './calendar.ts'
import type { CallRow } from './call-row.ts'
import type { Database } from './sqlite-driver.ts'
import { SECONDS_PER_HOUR } from './usage/hour-tables.ts'

/** Units that a token used in the present day and month. */
export interface TokenSpending {
  day: number
  month: number
}

const NOTHING: TokenSpending = Object.freeze({ day: 0, month: 0 })

/**
 * Usage of each token today and this month, kept in memory because every call checks budgets. It is kept
 * by the day, so that a clock that is put right, forward or back, loses nothing of what was used.
 */
export class TokenPeriods {
  /** Units by token, then by the unix seconds at which a day begins. */
  private readonly daysBy = new Map<number, Map<number, number>>()
  private readonly database: Database
  /** Gives unix seconds. */
  private readonly clock: () => number
  private starts: ReturnType<typeof periodStarts>
  /** Unix seconds at which a new day begins; asking the calendar on every call would cost too much. */
  private dayEnd: number
  /** Unix seconds from which on everything is in `daysBy`: a month's beginning. */
  private knownFrom: number

  constructor(database: Database, clock: () => number = unixSeconds) {
    this.database = database
    this.clock = clock
    this.starts = periodStarts(clock())
    this.dayEnd = dayAfter(this.starts.day)
    this.knownFrom = this.starts.month
    this.read(this.knownFrom, Number.MAX_SAFE_INTEGER)
  }

  add(row: CallRow): void {
    if (row.tokenId === 0 || row.quota === 0) return
    this.turn(this.clock())
    if (row.createdAt >= this.knownFrom) this.addAt(row.tokenId, row.createdAt, row.quota)
  }

  spent(tokenId: number): Readonly<TokenSpending> {
    this.turn(this.clock())
    const days = this.daysBy.get(tokenId)
    if (!days) return NOTHING
    const spent = { day: days.get(this.starts.day) ?? 0, month: 0 }
    for (const [day, quota] of days) {
      if (day >= this.starts.month && day < this.starts.nextMonth) spent.month += quota
    }
    return spent
  }

  private addAt(tokenId: number, time: number, quota: number): void {
    const isToday = time >= this.starts.day && time < this.dayEnd
    const day = isToday ? this.starts.day : periodStarts(time).day
    let days = this.daysBy.get(tokenId)
    if (!days) {
      days = new Map()
      this.daysBy.set(tokenId, days)
    }
    days.set(day, (days.get(day) ?? 0) + quota)
  }

  /** Reads back what the file knows of a span: hours from their sums, those in which a day begins by row. */
  private read(from: number, to: number): void {
    const hours = this.database
      .prepare(
        `SELECT token_id AS id, hour, total(quota) AS quota FROM token_hours
           WHERE hour >= ? AND hour < ? AND token_id <> 0 GROUP BY token_id, hour`,
      )
      .all(from - SECONDS_PER_HOUR + 1, to)
    const rowsOf = this.database.prepare(
      `SELECT created_at AS time, quota FROM calls
         WHERE created_at >= ? AND created_at < ? AND type IN (2, 5) AND token_id = ?
           AND id <= (SELECT id FROM summed)`,
    )
    for (const one of hours) {
      const [id, hour, quota] = [Number(one.id), Number(one.hour), Number(one.quota)]
      const last = hour + SECONDS_PER_HOUR - 1
      const begins = periodStarts(last).day
      if (begins <= hour) {
        this.addAt(id, hour, quota)
        continue
      }
      // Usage without a row counts as used before the day began.
      let before = quota
      for (const row of rowsOf.all(begins, last + 1, id)) {
        before -= Number(row.quota)
        if (begins >= from && begins < to) this.addAt(id, begins, Number(row.quota))
      }
      if (hour >= from) this.addAt(id, hour, before)
    }
  }

  /** Begins the day, and the month, that it has come to be, also where the clock was put back. */
  private turn(now: number): void {
    if (now < this.dayEnd && now >= this.starts.day) return
    const before = this.starts
    const isNextDay = now >= this.dayEnd && now < dayAfter(this.dayEnd)
    this.starts = periodStarts(now)
    this.dayEnd = dayAfter(this.starts.day)
    if (this.starts.month < this.knownFrom) {
      this.read(this.starts.month, this.knownFrom)
      this.knownFrom = this.starts.month
    } else if (isNextDay && before.month > this.knownFrom) this.forget(before.month)
  }

  /** Throws away what is older than the last two months; a clock that has jumped may still come back. */
  private forget(from: number): void {
    for (const days of this.daysBy.values()) {
      for (const day of days.keys()) if (day < from) days.delete(day)
    }
    this.knownFrom = from
  }
}
