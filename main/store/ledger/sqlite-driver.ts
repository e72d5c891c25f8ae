import { createRequire } from 'node:module'
import type * as nodeSqlite from 'node:sqlite'

export type Database = nodeSqlite.DatabaseSync
export type Statement = nodeSqlite.StatementSync

export interface SqliteDriver {
  readonly name: 'node:sqlite' | '@photostructure/sqlite'
  readonly Database: typeof nodeSqlite.DatabaseSync
  readonly backup: typeof nodeSqlite.backup
}

/**
 * Node's own SQLite, or on Node 20, which has none, the package with the same interface. Loaded when
 * asked for, so that the package's native part need not exist where Node brings its own.
 */
export function sqliteDriver(): SqliteDriver {
  const own = withoutExperimentalWarning(() => process.getBuiltinModule?.('node:sqlite'))
  if (own) return { name: 'node:sqlite', Database: own.DatabaseSync, backup: own.backup }
  const load = createRequire(import.meta.url)
  const { DatabaseSync, backup } = load('@photostructure/sqlite') as typeof nodeSqlite
  return { name: '@photostructure/sqlite', Database: DatabaseSync, backup }
}

/** Node warns of node:sqlite once, when it is loaded; a user of the gateway cannot act on that. */
function withoutExperimentalWarning<Result>(run: () => Result): Result {
  const { emitWarning } = process
  process.emitWarning = ((...warning: Parameters<typeof emitWarning>) => {
    if ((warning[1] as unknown) !== 'ExperimentalWarning') emitWarning(...warning)
  }) as typeof emitWarning
  try {
    return run()
  } finally {
    process.emitWarning = emitWarning
  }
}
