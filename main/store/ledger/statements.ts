import type { Value } from './sql-conditions.ts'
import type { Database, Statement } from './sqlite-driver.ts'

export type Row = Record<string, unknown>

/** Statements of a database, each prepared once; `sql` must therefore not hold values. */
export class Statements {
  private readonly database: Database
  private readonly prepared = new Map<string, Statement>()

  constructor(database: Database) {
    this.database = database
  }

  /** Runs a statement that gives rows. */
  all(sql: string, values: readonly Value[] = []): Row[] {
    return this.statement(sql).all(...values) as Row[]
  }

  /** The same row by row, for readers that may stop before the last. */
  each(sql: string, values: readonly Value[] = []): Iterable<Row> {
    // Its own statement: one that is stopped half-way must not be in another's way.
    return this.database.prepare(sql).iterate(...values) as Iterable<Row>
  }

  /** Runs a statement that changes rows; returns how many. */
  run(sql: string, values: readonly Value[] = []): number {
    return Number(this.statement(sql).run(...values).changes)
  }

  private statement(sql: string): Statement {
    let statement = this.prepared.get(sql)
    if (!statement) {
      statement = this.database.prepare(sql)
      this.prepared.set(sql, statement)
    }
    return statement
  }
}
