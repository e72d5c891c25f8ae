import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type CallRow, sanitizedRow } from './call-row.ts'

const pathBeside = (ledgerPath: string): string => `${ledgerPath}.waiting`

/** Keeps rows beside a ledger that cannot be written when the process ends (0600); throws where that fails too. */
export function keepWaitingRows(ledgerPath: string, rows: readonly CallRow[]): void {
  const lines = rows.map((row) => JSON.stringify(row)).join('\n')
  writeFileSync(pathBeside(ledgerPath), `${lines}\n`, { mode: 0o600, flag: 'a', flush: true })
}

/** The rows that the process before could not write; a line that was cut off is passed over. */
export function readWaitingRows(ledgerPath: string): CallRow[] {
  let text: string
  try {
    text = readFileSync(pathBeside(ledgerPath), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  return text.split('\n').flatMap((line) => {
    try {
      return [sanitizedRow(JSON.parse(line) as CallRow)]
    } catch {
      return []
    }
  })
}

export const forgetWaitingRows = (ledgerPath: string): void =>
  rmSync(pathBeside(ledgerPath), { force: true })
