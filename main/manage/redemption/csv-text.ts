/** A spreadsheet takes a cell that begins so for a formula, and runs it. */
const FORMULA_START = /^[=+\-@\t\r]/

function toCell(value: string | number): string {
  const text = String(value)
  const harmless = typeof value === 'string' && FORMULA_START.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/**
 * Rows as CSV (RFC 4180, https://www.rfc-editor.org/rfc/rfc4180), each ended by CRLF. Text that a spreadsheet
 * would run as a formula gets an apostrophe in front.
 */
export const csvText = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('')
