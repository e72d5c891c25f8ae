import { unixSeconds } from '../../../base/clock.ts'
import type { Row } from '../statements.ts'
import { SECONDS_PER_HOUR } from './hour-tables.ts'

/** Lines kept in memory: some 20 MB. */
const MOST_LINES = 100_000

/**
 * Sums of hours that are over. Only a late row changes these, so a chart that is looked at again
 * costs no more than its newest hours.
 */
export class ClosedHours {
  private readonly kept = new Map<string, readonly Row[]>()
  private lines = 0
  private until = 0

  take(question: string): readonly Row[] | undefined {
    return this.kept.get(question)
  }

  /** Keeps an answer about the time before `to` (unix seconds), if that is over. */
  keep(question: string, to: number, rows: readonly Row[]): void {
    const now = unixSeconds()
    if (to > now - (now % SECONDS_PER_HOUR)) return
    if (this.lines + rows.length > MOST_LINES) this.forget()
    if (rows.length > MOST_LINES) return
    this.kept.set(question, rows)
    this.lines += rows.length
    this.until = Math.max(this.until, to)
  }

  /** A row was added to the sums: one of an hour that is over makes answers wrong. */
  noteRow(createdAt: number): void {
    if (createdAt < this.until) this.forget()
  }

  private forget(): void {
    this.kept.clear()
    this.lines = 0
    this.until = 0
  }
}
