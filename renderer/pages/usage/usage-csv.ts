import { dollarsOf } from '../../components/format/quota-units.ts'
import { isUnpriced } from '../../components/format/use-sum-cost.ts'
import type { UsageRow } from './usage-sums.ts'

const columns = [
  'time',
  'key',
  'name',
  'calls',
  'errors',
  'unpriced',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'usd',
  'estimated',
]

/** RFC 4180, one line per step and key. Times are ISO 8601 in UTC; an unknown cost is an empty field. */
export function usageCsv(rows: readonly UsageRow[], nameOf: (row: UsageRow) => string): string {
  const lines = rows.map((row) => [
    new Date(row.time * 1000).toISOString(),
    row.key,
    nameOf(row),
    row.calls,
    row.errors,
    row.unpriced,
    row.prompt_tokens,
    row.completion_tokens,
    row.cached_tokens,
    isUnpriced(row) ? '' : dollarsOf(row.quota),
    row.estimated,
  ])
  return [columns, ...lines].map((line) => `${line.map(field).join(',')}\r\n`).join('')
}

/** Quotes text that a spreadsheet would run as a formula. */
function field(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
