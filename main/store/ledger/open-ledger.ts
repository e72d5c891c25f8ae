import type { Ledger } from './ledger.ts'
import { openLedgerFile, unusableLedger } from './ledger-file.ts'
import { SqliteLedger } from './sqlite-ledger.ts'

/** Opens `ledger.db`, or begins one; throws StartError for a file that cannot be used. */
export async function openLedger(path: string): Promise<Ledger> {
  const database = openLedgerFile(path)
  try {
    return new SqliteLedger(path, database)
  } catch (error) {
    database.close()
    throw unusableLedger(path, error)
  }
}
