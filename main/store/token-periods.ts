import { unixSeconds } from '../base/clock.ts'
import { dayAfter, periodStarts } from './calendar.ts'
import type { CallRow } from './call-row.ts'
import type { Database } from './sqlite-driver.ts'

/** Units that a token used in the present day and month. */
export interface Spent {
  day: number
  month: number
}

const NOTHING: Spent = Object.freeze({ day: 0, month: 0 })
const SECONDS_PER_HOUR = 3600

/** What each token has used today and this month, kept in memory for the budgets that every call asks of. */
export class TokenPeriods {
  private readonly spentBy = new Map<number, Spent>()
  /** Gives unix seconds. */
  private readonly clock: () => number
  private starts: ReturnType<typeof periodStarts>
  /** Unix seconds at which a new day begins; asking the calendar on every call would cost too much. */
  private dayEnd: number

  /** Reads back what the file knows: whole hours from their sums, the hour in which a period began by row. */
  constructor(database: Database, clock: () => number = unixSeconds) {
    this.clock = clock
    this.starts = periodStarts(clock())
    this.dayEnd = dayAfter(this.starts.day)
    for (const period of ['month', 'day'] as const) {
      const start = this.starts[period]
      const firstHour = Math.ceil(start / SECONDS_PER_HOUR) * SECONDS_PER_HOUR
      const rows = database
        .prepare(
          `SELECT id, sum(quota) AS quota FROM (
             SELECT token_id AS id, quota FROM token_hours WHERE hour >= ? AND token_id <> 0
             UNION ALL
             SELECT token_id, quota FROM calls
               WHERE created_at >= ? AND created_at < ? AND type IN (2, 5) AND token_id <> 0
                 AND id <= (SELECT id FROM summed)
           ) GROUP BY id`,
        )
        .all(firstHour, start, firstHour)
      for (const row of rows) this.of(Number(row.id))[period] += Number(row.quota)
    }
  }

  add(row: CallRow): void {
    if (row.tokenId === 0 || row.quota === 0) return
    this.turn(this.clock())
    const { day, month } = this.starts
    if (row.createdAt < month) return
    const spent = this.of(row.tokenId)
    spent.month += row.quota
    if (row.createdAt >= day) spent.day += row.quota
  }

  spent(tokenId: number): Readonly<Spent> {
    this.turn(this.clock())
    return this.spentBy.get(tokenId) ?? NOTHING
  }

  private of(tokenId: number): Spent {
    let spent = this.spentBy.get(tokenId)
    if (!spent) {
      spent = { day: 0, month: 0 }
      this.spentBy.set(tokenId, spent)
    }
    return spent
  }

  /** Begins the new day, and the new month, once their time has come. */
  private turn(now: number): void {
    if (now < this.dayEnd && now >= this.starts.day) return
    const before = this.starts
    this.starts = periodStarts(now)
    this.dayEnd = dayAfter(this.starts.day)
    if (this.starts.month !== before.month) this.spentBy.clear()
    else if (this.starts.day !== before.day) {
      for (const spent of this.spentBy.values()) spent.day = 0
    }
  }
}
