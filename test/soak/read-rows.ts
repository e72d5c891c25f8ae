import { join } from 'node:path'
import { CALL_COLUMNS, toCall } from '../../main/store/ledger/call-columns.ts'
import type { StoredCall } from '../../main/store/ledger/ledger.ts'
import { sqliteDriver } from '../../main/store/ledger/sqlite-driver.ts'

/** The rows of all model calls in the ledger of a gateway that has stopped. */
export function readRows(dataFolder: string): StoredCall[] {
  const { Database } = sqliteDriver()
  const database = new Database(join(dataFolder, 'ledger.db'), { readOnly: true })
  try {
    const rows = database.prepare(`SELECT ${CALL_COLUMNS} FROM calls WHERE type IN (2, 5)`).all()
    return rows.map((row) => toCall(row as Parameters<typeof toCall>[0]))
  } finally {
    database.close()
  }
}
