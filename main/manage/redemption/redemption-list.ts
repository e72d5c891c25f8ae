import { z } from 'zod'
import { unixSeconds } from '../../base/clock.ts'
import {
  allCodes,
  type CodeFilter,
  isExpiredCode,
  listCodes,
  type RedemptionCode,
} from '../../store/payment/redemption-codes.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { filterText, LAST_TIME, type PagingInput, pagingFields } from '../operation/input-fields.ts'
import { defineOperation } from '../operation/operation.ts'
import { type Page, pageOutput, readPaging } from '../operation/page.ts'
import { type RedemptionRecord, redemptionRecord, toRedemptionRecord } from './redemption-record.ts'

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
const csvText = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('')

const filterFields = {
  keyword: filterText.describe('An exact id, or the beginning of a name.'),
  status: z
    .enum(['', '1', '2', '3', 'expired'])
    .optional()
    .default('')
    .describe('1 = can be redeemed, 2 = disabled, 3 = used, expired = not used in time.'),
}

function pageOfCodes(
  filter: CodeFilter,
  input: PagingInput,
  parts: GatewayParts,
): Page<RedemptionRecord> {
  const paging = readPaging(input)
  const now = unixSeconds()
  const { ledger } = parts
  const { total, items } = listCodes(ledger.read.bind(ledger), filter, paging, now)
  return {
    page: paging.page,
    page_size: paging.pageSize,
    total,
    items: items.map((code) => toRedemptionRecord(code, now, parts)),
  }
}

const list = defineOperation({
  name: 'redemption.list',
  summary: 'Lists the redemption codes, newest first.',
  access: 'admin',
  http: { method: 'GET', path: '/api/redemption' },
  input: z.object(pagingFields),
  output: pageOutput(redemptionRecord),
  run: (input, { parts }) => pageOfCodes({ keyword: '', status: '' }, input, parts),
})

const search = defineOperation({
  name: 'redemption.search',
  summary: 'Finds redemption codes by their id, the beginning of their name, and their status.',
  access: 'admin',
  http: { method: 'GET', path: '/api/redemption/search' },
  input: z.object({ ...pagingFields, ...filterFields }),
  output: pageOutput(redemptionRecord),
  run: (input, { parts }) =>
    pageOfCodes({ keyword: input.keyword, status: input.status }, input, parts),
})

const statusWords = { 1: 'enabled', 2: 'disabled', 3: 'used' } as const

const HEAD = ['id', 'name', 'code', 'status', 'quota', 'created', 'expires', 'redeemed', 'used_by']

/** Codes from before the expiry had a bound may have one that is no date. */
const timeText = (time: number): string =>
  time === 0 ? '' : new Date(Math.min(time, LAST_TIME) * 1000).toISOString().replace('.000Z', 'Z')

const toRow = (code: RedemptionCode, isExpired: boolean): (string | number)[] => [
  code.id,
  code.name,
  code.code,
  isExpired ? 'expired' : statusWords[code.status],
  code.quota,
  timeText(code.createdTime),
  timeText(code.expiredTime),
  timeText(code.redeemedTime),
  code.usedUserId === 0 ? '' : code.usedUserId,
]

const exportCodes = defineOperation({
  name: 'redemption.export',
  summary: 'Gives the codes of a search as CSV; times are in UTC, quota is in units.',
  access: 'admin',
  http: { method: 'GET', path: '/api/redemption/export' },
  input: z.object(filterFields),
  output: z.string(),
  run(filter, { parts: { ledger } }) {
    const now = unixSeconds()
    const codes = allCodes(ledger.read.bind(ledger), filter, now)
    const rows = codes.map((code) => toRow(code, isExpiredCode(code, now)))
    return csvText([HEAD, ...rows])
  },
})

export const redemptionListOperations = [list, search, exportCodes] as const
