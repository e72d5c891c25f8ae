import { type CallRow, isModelCall } from './call-row.ts'
import type { Database, Statement } from './sqlite-driver.ts'

export type TotalKind = 'token' | 'user' | 'channel'

export interface Total {
  /** Units, in all time. */
  quota: number
  /** Model calls, failed ones included. */
  calls: number
  /** Unix seconds of the last call; 0 = never. */
  lastUsed: number
}

interface Hour {
  hour: number
  userId: number
  username: string
  model: string
  calls: number
  errors: number
  quota: number
  promptTokens: number
  completionTokens: number
}

const SECONDS_PER_HOUR = 3600
const UNUSED: Total = Object.freeze({ quota: 0, calls: 0, lastUsed: 0 })

/**
 * Sums over the rows: running totals per token, user and channel, and one line an hour, user and model.
 *
 * They are not written with every row. `summed` says up to which row they hold, and rows after that are
 * summed again at the next open, so that they agree with the rows after any crash, at no cost to a call.
 */
export class LedgerSums {
  /** What is known now, rows included that are not yet written. */
  private readonly totals = { token: newTotals(), user: newTotals(), channel: newTotals() }
  /** What came in since the last save. */
  private unsaved = { token: newTotals(), user: newTotals(), channel: newTotals() }
  private unsavedHours = new Map<string, Hour>()
  private summed: number
  private committed: number
  private readonly database: Database
  private readonly saveTotal: Statement
  private readonly saveHour: Statement
  private readonly saveSummed: Statement

  constructor(database: Database) {
    this.database = database
    this.saveTotal = database.prepare(
      `INSERT INTO totals (kind, id, quota, calls, last_used) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET quota = quota + excluded.quota, calls = calls + excluded.calls,
         last_used = max(last_used, excluded.last_used)`,
    )
    this.saveHour = database.prepare(
      `INSERT INTO hours (hour, user_id, username, model, calls, errors, quota, prompt_tokens,
         completion_tokens) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, errors = errors + excluded.errors,
         quota = quota + excluded.quota, prompt_tokens = prompt_tokens + excluded.prompt_tokens,
         completion_tokens = completion_tokens + excluded.completion_tokens`,
    )
    this.saveSummed = database.prepare('UPDATE summed SET id = ?')
    this.summed = Number(database.prepare('SELECT id FROM summed').get()?.id ?? 0)
    this.committed = this.summed
    for (const row of database.prepare('SELECT * FROM totals').all()) {
      this.totals[row.kind as TotalKind].set(Number(row.id), {
        quota: Number(row.quota),
        calls: Number(row.calls),
        lastUsed: Number(row.last_used),
      })
    }
  }

  /** Up to here the saved sums hold. */
  get summedThrough(): number {
    return this.summed
  }

  total(kind: TotalKind, id: number): Total {
    return this.totals[kind].get(id) ?? UNUSED
  }

  /** Takes a row into the totals that are asked for, whether it is written yet or not. */
  count(row: CallRow): void {
    addTotals(this.totals, row)
  }

  /** Takes a written row into what the next save adds. Rows come in order of their id. */
  add(id: number, row: CallRow): void {
    this.committed = id
    addTotals(this.unsaved, row)
    if (!isModelCall(row)) return
    const hour = row.createdAt - (row.createdAt % SECONDS_PER_HOUR)
    const key = `${hour} ${row.userId} ${row.username}\n${row.model}`
    let sum = this.unsavedHours.get(key)
    if (!sum) {
      const { userId, username, model } = row
      sum = {
        ...{ hour, userId, username, model },
        ...{ calls: 0, errors: 0, quota: 0, promptTokens: 0, completionTokens: 0 },
      }
      this.unsavedHours.set(key, sum)
    }
    if (row.type === 2) sum.calls++
    else sum.errors++
    sum.quota += row.quota
    sum.promptTokens += row.promptTokens
    sum.completionTokens += row.completionTokens
  }

  /** Writes what came in since the last time, in one transaction. */
  save(): void {
    if (this.committed === this.summed) return
    this.database.exec('BEGIN')
    try {
      for (const kind of ['token', 'user', 'channel'] as const) {
        for (const [id, { quota, calls, lastUsed }] of this.unsaved[kind]) {
          this.saveTotal.run(kind, id, quota, calls, lastUsed)
        }
      }
      for (const sum of this.unsavedHours.values()) {
        this.saveHour.run(
          sum.hour,
          sum.userId,
          sum.username,
          sum.model,
          sum.calls,
          sum.errors,
          sum.quota,
          sum.promptTokens,
          sum.completionTokens,
        )
      }
      this.saveSummed.run(this.committed)
      this.database.exec('COMMIT')
    } catch (error) {
      rollBack(this.database)
      throw error
    }
    this.summed = this.committed
    this.unsaved = { token: newTotals(), user: newTotals(), channel: newTotals() }
    this.unsavedHours = new Map()
  }
}

const newTotals = () => new Map<number, Total>()

function addTotals(totals: Record<TotalKind, Map<number, Total>>, row: CallRow): void {
  const isCall = isModelCall(row)
  if (!isCall && row.type !== 6) return
  addTotal(totals.token, row.tokenId, row, isCall)
  addTotal(totals.user, row.userId, row, isCall)
  addTotal(totals.channel, row.channelId, row, isCall)
}

function addTotal(totals: Map<number, Total>, id: number, row: CallRow, isCall: boolean): void {
  if (id === 0) return
  let total = totals.get(id)
  if (!total) {
    total = { quota: 0, calls: 0, lastUsed: 0 }
    totals.set(id, total)
  }
  total.quota += row.quota
  if (!isCall) return
  total.calls++
  if (row.createdAt > total.lastUsed) total.lastUsed = row.createdAt
}

/** A full disk ends the transaction by itself, and then there is none to roll back. */
export function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // Already ended.
  }
}
