import { type CallRow, isCredit, isModelCall } from './call-row.ts'
import type { Database, Statement } from './sqlite-driver.ts'
import { TokenPeriods, type TokenSpending } from './token-periods.ts'
import { type HourDimension, hourTables, SECONDS_PER_HOUR } from './usage/hour-tables.ts'

export type { TokenSpending } from './token-periods.ts'

export type TotalKind = 'token' | 'user' | 'channel'

export interface Total {
  /** Units, in all time. */
  quota: number
  /** Model calls, failed ones included. */
  calls: number
  /** Unix seconds of the last call; 0 = never. */
  lastUsed: number
  /** Calls whose cost isn't known and not in `quota`. */
  unpriced: number
  /** Calls whose usage is an estimate. */
  estimated: number
}

/** `credit` is what a user was credited; the other kinds are what was used. */
type SumKind = TotalKind | 'credit'
type Sums = Record<SumKind, Map<number, Total>>

interface Hour {
  hour: number
  userId: number
  username: string
  tokenId: number
  tokenName: string
  group: string
  channelId: number
  model: string
  calls: number
  errors: number
  unpriced: number
  quota: number
  promptTokens: number
  completionTokens: number
  cachedTokens: number
  estimated: number
}

const isOfHour = (row: CallRow, hour: number, of: Hour): boolean =>
  of.hour === hour &&
  of.userId === row.userId &&
  of.tokenId === row.tokenId &&
  of.channelId === row.channelId &&
  of.username === row.username &&
  of.tokenName === row.tokenName &&
  of.group === row.group &&
  of.model === row.model

const UNUSED: Readonly<Total> = {
  ...{ quota: 0, calls: 0, lastUsed: 0, unpriced: 0, estimated: 0 },
}

/**
 * Sums over the rows: running totals per token, user and channel, and lines an hour and user by model, token
 * and channel.
 *
 * They are not written with every row. `summed` says up to which row they hold, and rows after that are
 * summed again at the next open, so that they agree with the rows after any crash, at no cost to a call.
 */
export class LedgerSums {
  /** Includes rows that are not yet written. */
  private readonly totals = newSums()
  private readonly periods: TokenPeriods
  /** Sums since the last save. */
  private unsaved = newSums()
  private unsavedHours = new Map<string, Hour>()
  /** The one of them that was added to last. */
  private lastHour: Hour | null = null
  private summed: number
  private committed: number
  private readonly database: Database
  private readonly saveTotal: Statement
  private readonly saveHour: Readonly<Record<HourDimension, Statement>>
  private readonly saveSummed: Statement

  constructor(database: Database) {
    this.database = database
    this.saveTotal = database.prepare(
      `INSERT INTO totals (kind, id, quota, calls, last_used, unpriced, estimated)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET quota = quota + excluded.quota, calls = calls + excluded.calls,
         last_used = max(last_used, excluded.last_used),
         unpriced = unpriced + excluded.unpriced, estimated = estimated + excluded.estimated`,
    )
    this.saveHour = {
      model: prepareHour(database, 'model'),
      token: prepareHour(database, 'token'),
      channel: prepareHour(database, 'channel'),
    }
    this.saveSummed = database.prepare('UPDATE summed SET id = ?')
    this.summed = Number(database.prepare('SELECT id FROM summed').get()?.id ?? 0)
    this.committed = this.summed
    // As a fraction: a whole number of more than 2^53 would not be given.
    const totals = database.prepare(
      `SELECT kind, id, CAST(quota AS REAL) AS quota, calls, last_used, unpriced, estimated
       FROM totals`,
    )
    for (const row of totals.all()) {
      this.totals[row.kind as SumKind].set(Number(row.id), {
        quota: Number(row.quota),
        calls: Number(row.calls),
        lastUsed: Number(row.last_used),
        unpriced: Number(row.unpriced),
        estimated: Number(row.estimated),
      })
    }
    this.periods = new TokenPeriods(database)
  }

  /** Up to here the saved sums hold. */
  get summedThrough(): number {
    return this.summed
  }

  total(kind: TotalKind, id: number): Readonly<Total> {
    return this.totals[kind].get(id) ?? UNUSED
  }

  /** Units that a user was credited, less what was taken back. */
  credited(userId: number): number {
    return this.totals.credit.get(userId)?.quota ?? 0
  }

  spent(tokenId: number): Readonly<TokenSpending> {
    return this.periods.spent(tokenId)
  }

  /** Takes a row into the totals that are asked for, whether it is written yet or not. */
  count(row: CallRow): void {
    addTotals(this.totals, row)
    if (isModelCall(row)) this.periods.add(row)
  }

  /** Takes a written row into what the next save adds. Rows come in order of their id. */
  add(id: number, row: CallRow): void {
    this.committed = id
    addTotals(this.unsaved, row)
    if (!isModelCall(row)) return
    const sum = this.hourOf(row)
    if (row.type === 2) sum.calls++
    else sum.errors++
    if (row.isUnpriced) sum.unpriced++
    if (row.isEstimated) sum.estimated++
    sum.quota += row.quota
    sum.promptTokens += row.promptTokens
    sum.completionTokens += row.completionTokens
    sum.cachedTokens += row.cachedTokens
  }

  /** The line of its hour that a row belongs to. */
  private hourOf(row: CallRow): Hour {
    const hour = row.createdAt - (row.createdAt % SECONDS_PER_HOUR)
    // Mostly it is the last one's, which is seen sooner than looked up.
    if (this.lastHour && isOfHour(row, hour, this.lastHour)) return this.lastHour
    const key = `${hour} ${row.userId} ${row.tokenId} ${row.channelId} ${row.username}\n${row.tokenName}\n${row.group}\n${row.model}`
    let sum = this.unsavedHours.get(key)
    if (!sum) {
      const { userId, username, tokenId, tokenName, group, channelId, model } = row
      sum = {
        ...{ hour, userId, username, tokenId, tokenName, group, channelId, model },
        ...{ calls: 0, errors: 0, unpriced: 0, quota: 0 },
        ...{ promptTokens: 0, completionTokens: 0, cachedTokens: 0, estimated: 0 },
      }
      this.unsavedHours.set(key, sum)
    }
    this.lastHour = sum
    return sum
  }

  /** Writes what came in since the last time, in one transaction. */
  save(): void {
    if (this.committed === this.summed) return
    this.database.exec('BEGIN')
    try {
      for (const kind of ['token', 'user', 'channel', 'credit'] as const) {
        for (const [id, total] of this.unsaved[kind]) {
          const { quota, calls, lastUsed, unpriced, estimated } = total
          this.saveTotal.run(kind, id, quota, calls, lastUsed, unpriced, estimated)
        }
      }
      for (const sum of this.unsavedHours.values()) {
        const { hour, userId, username } = sum
        const figures = [
          ...[sum.calls, sum.errors, sum.unpriced, sum.quota, sum.promptTokens],
          ...[sum.completionTokens, sum.cachedTokens, sum.estimated],
        ]
        const { model, token, channel } = this.saveHour
        model.run(hour, userId, username, sum.model, ...figures)
        token.run(hour, userId, username, sum.tokenId, sum.tokenName, sum.group, ...figures)
        channel.run(hour, userId, username, sum.channelId, ...figures)
      }
      this.saveSummed.run(this.committed)
      this.database.exec('COMMIT')
    } catch (error) {
      rollBack(this.database)
      throw error
    }
    this.summed = this.committed
    this.unsaved = newSums()
    this.unsavedHours = new Map()
    this.lastHour = null
  }
}

/** Adds to a line of one of the tables by hour, or begins it. */
function prepareHour(database: Database, dimension: HourDimension): Statement {
  const { name, columns } = hourTables[dimension]
  const places = Array(1 + Object.keys(columns).length + 8).fill('?')
  return database.prepare(
    `INSERT INTO ${name} VALUES (${places.join(', ')})
     ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, errors = errors + excluded.errors,
       unpriced = unpriced + excluded.unpriced, quota = quota + excluded.quota,
       prompt_tokens = prompt_tokens + excluded.prompt_tokens,
       completion_tokens = completion_tokens + excluded.completion_tokens,
       cached_tokens = cached_tokens + excluded.cached_tokens,
       estimated = estimated + excluded.estimated`,
  )
}

const newSums = (): Sums => ({
  token: new Map(),
  user: new Map(),
  channel: new Map(),
  credit: new Map(),
})

function addTotals(sums: Sums, row: CallRow): void {
  if (isModelCall(row)) {
    addTotal(sums.token, row.tokenId, row)
    addTotal(sums.user, row.userId, row)
    addTotal(sums.channel, row.channelId, row)
  } else if (isCredit(row)) addTotal(sums.credit, row.userId, row)
}

function addTotal(totals: Map<number, Total>, id: number, row: CallRow): void {
  if (id === 0) return
  let total = totals.get(id)
  if (!total) {
    total = { ...UNUSED }
    totals.set(id, total)
  }
  total.quota += row.quota
  total.calls++
  if (row.isUnpriced) total.unpriced++
  if (row.isEstimated) total.estimated++
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
