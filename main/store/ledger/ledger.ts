import type { Reason } from '../../base/reason.ts'
import type { CallPage } from './call-list.ts'
import type { CallFilter, CallRow } from './call-row.ts'
import type { CallStat } from './call-stat.ts'
import type { EventFilter } from './event-list.ts'
import type { TokenSpending, Total, TotalKind } from './ledger-sums.ts'
import type { OpenCallRow } from './open-call-rows.ts'
import type { Searches } from './search/searches.ts'
import type { SessionKey, SessionSearches } from './search/session-search.ts'
import type { HourlyUsage } from './usage/usage-by-hour.ts'
import type { UsageQuestion, UsageSum } from './usage/usage-summary.ts'

export type { StoredCall } from './call-columns.ts'
export type { CallPage } from './call-list.ts'
export type { CallFilter, CallRow } from './call-row.ts'
export type { CallStat } from './call-stat.ts'
export type { EventFilter } from './event-list.ts'
export type { TokenSpending, Total, TotalKind } from './ledger-sums.ts'
export type { OpenCallRow } from './open-call-rows.ts'
export type { HourlyUsage } from './usage/usage-by-hour.ts'
export type { UsageQuestion, UsageSum } from './usage/usage-summary.ts'

/** Every call and what it used. */
export interface Ledger extends Searches, SessionSearches {
  /**
   * Resolves when the row is committed. Rows of one turn of the event loop share a transaction. It
   * never rejects: a row that cannot be written is kept and tried again, and `problem` says so.
   */
  record(row: CallRow): Promise<void>
  /** Writes into the rows of calls, which are recorded, to which session they belong. */
  joinSession(key: SessionKey, calls: readonly Pick<CallRow, 'requestId' | 'createdAt'>[]): void
  /** Used in all time, from memory; counts a row as soon as `record` was called. */
  totals(kind: TotalKind, id: number): Readonly<Total>
  /** Units that a user was credited by codes and payments, less what was taken back; never what was used. */
  credited(userId: number): number
  /** Units that a token has used today and this month, by this machine's calendar. */
  spent(tokenId: number): Readonly<TokenSpending>
  /**
   * Runs a change of what the ledger's file holds in one transaction, which is safe on the disk when this
   * returns, even from a power cut. When `change` throws, nothing has happened.
   */
  transact<Result>(change: (transaction: Transaction) => Result): Result
  /** For reading what else the file holds: codes, orders, events. Write in `transact` only. */
  read(sql: string, ...values: (string | number | null)[]): Record<string, unknown>[]
  /** Pages from 1. */
  list(filter: CallFilter, page: { page: number; pageSize: number }): CallPage
  /** Rows that aren't model calls: top-ups, acts of people and of the gateway. Pages from 1. */
  events(filter: EventFilter, page: { page: number; pageSize: number }): CallPage
  stat(filter: CallFilter): CallStat
  /** Use by hour, user and model; `start` and `end` in unix seconds. */
  hourly(filter: { start: number; end: number; userId?: number; username?: string }): HourlyUsage[]
  /** Use in steps by model, channel, token or user. */
  summary(question: UsageQuestion): UsageSum[]
  /** Removes rows from before a time (unix seconds), not what they add up to; gives how many there were. */
  removeBefore(timestamp: number): Promise<number>
  /** Calls the listener after rows were committed, with their users; returns what ends that. */
  onRecorded(listener: (userIds: readonly number[]) => void): () => void
  /** Why rows cannot be written at present, for a person; null when all is well. */
  readonly problem: string | null
  /** The same for a console in another language. */
  readonly problemReason: Reason | null
  /** Unix seconds from which on that is so; null when all is well. */
  readonly problemSince: number | null
  /** Rows that could not be written yet, and those that were too many to be kept. */
  readonly rowsWaiting: number
  readonly rowsLost: number
  /** Calls the listener when a problem shows, and when it is over; returns what ends that. */
  onProblem(listener: (isThere: boolean) => void): () => void
  /** Bytes of the file and of its write-ahead log. */
  size(): number
  /**
   * Keeps calls under way, so that each gets a row at the next open if the process is killed before theirs is
   * recorded. False when they could not be written; nothing is lost by that but the kept.
   */
  keepOpen(calls: readonly OpenCallRow[]): boolean
  /** Writes what is left and closes the file. */
  close(): void
}

/** A change under way: statements on the file, and rows that are booked with it. */
export interface Transaction {
  /** Rows of a SELECT or RETURNING. */
  all(sql: string, ...values: (string | number | null)[]): Record<string, unknown>[]
  /** How many rows a statement changed. */
  run(sql: string, ...values: (string | number | null)[]): number
  book(row: CallRow): void
}
