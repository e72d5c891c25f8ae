import { randomBytes } from 'node:crypto'
import type { Ledger, Transaction } from '../ledger/ledger.ts'

/** A code that credits its quota once. */
export interface RedemptionCode {
  id: number
  /** Its creator. */
  userId: number
  /** 32 hex digits. */
  code: string
  /** 1 enabled, 2 disabled, 3 used. That it has expired is told by `expiredTime` alone. */
  status: 1 | 2 | 3
  /** Label of a batch. */
  name: string
  /** Units. */
  quota: number
  createdTime: number
  /** 0 = not used. */
  redeemedTime: number
  /** 0 = never. */
  expiredTime: number
  /** 0 = not used. */
  usedUserId: number
}

/** Which codes; `''` are all, `1` those that can be redeemed, `expired` those that no one used in time. */
export interface CodeFilter {
  /** An id, or the beginning of a name. */
  keyword: string
  status: '' | '1' | '2' | '3' | 'expired'
}

type Read = Ledger['read']
type Value = string | number

const COLUMNS = `id, user_id AS userId, code, status, name, quota, created_time AS createdTime,
  redeemed_time AS redeemedTime, expired_time AS expiredTime, used_user_id AS usedUserId`

const toCode = (row: Record<string, unknown>): RedemptionCode =>
  ({ ...row }) as unknown as RedemptionCode

/** Has its time passed without its being used? */
export const isExpiredCode = (
  { status, expiredTime }: Pick<RedemptionCode, 'status' | 'expiredTime'>,
  now: number,
): boolean => status !== 3 && expiredTime !== 0 && expiredTime < now

const PAST = 'expired_time <> 0 AND expired_time < ?'

const statusConditions = {
  '': null,
  '1': `status = 1 AND NOT (${PAST})`,
  '2': 'status = 2',
  '3': 'status = 3',
  expired: `status <> 3 AND ${PAST}`,
} as const

function conditionsOf({ keyword, status }: CodeFilter, now: number) {
  const values: Value[] = []
  const conditions = ['deleted_at = 0']
  if (keyword !== '') {
    const id = /^\d{1,15}$/.test(keyword) ? Number(keyword) : 0
    conditions.push(`(id = ? OR name LIKE ? ESCAPE '\\')`)
    values.push(id, `${keyword.replace(/[\\%_]/g, '\\$&')}%`)
  }
  const condition = statusConditions[status]
  if (condition !== null) {
    conditions.push(condition)
    if (condition.includes('?')) values.push(now)
  }
  return { sql: `WHERE ${conditions.join(' AND ')}`, values }
}

/** Codes that were not deleted, newest first; pages from 1. `now` in unix seconds. */
export function listCodes(
  read: Read,
  filter: CodeFilter,
  { page, pageSize }: { page: number; pageSize: number },
  now: number,
): { total: number; items: RedemptionCode[] } {
  const { sql, values } = conditionsOf(filter, now)
  const [counted] = read(`SELECT count(*) AS total FROM redemption_codes ${sql}`, ...values)
  const items = read(
    `SELECT ${COLUMNS} FROM redemption_codes ${sql} ORDER BY id DESC LIMIT ? OFFSET ?`,
    ...values,
    pageSize,
    (page - 1) * pageSize,
  )
  return { total: Number(counted?.total ?? 0), items: items.map(toCode) }
}

/** All codes of a filter, newest first. */
export function allCodes(read: Read, filter: CodeFilter, now: number): RedemptionCode[] {
  const { sql, values } = conditionsOf(filter, now)
  return read(`SELECT ${COLUMNS} FROM redemption_codes ${sql} ORDER BY id DESC`, ...values).map(
    toCode,
  )
}

/** The code of an id, unless it was deleted. */
export function codeById(read: Read, id: number): RedemptionCode | undefined {
  const sql = `SELECT ${COLUMNS} FROM redemption_codes WHERE id = ? AND deleted_at = 0`
  return read(sql, id).map(toCode)[0]
}

/** The code that a person typed, unless it was deleted. */
export function codeByText(read: Read, text: string): RedemptionCode | undefined {
  const sql = `SELECT ${COLUMNS} FROM redemption_codes WHERE code = ? AND deleted_at = 0`
  return read(sql, text).map(toCode)[0]
}

/** What has become of a code, a deleted one too; null where it never was here. */
export function fateOfCode(read: Read, text: string): 'kept' | 'used' | 'deleted' | null {
  const sql = 'SELECT status, deleted_at FROM redemption_codes WHERE code = ?'
  const [row] = read(sql, text)
  if (!row) return null
  if (row.status === 3) return 'used'
  return row.deleted_at === 0 ? 'kept' : 'deleted'
}

/** Draws a new code and keeps it. */
export function addCode(
  { run }: Pick<Transaction, 'run'>,
  fields: Pick<RedemptionCode, 'userId' | 'name' | 'quota' | 'createdTime' | 'expiredTime'>,
): string {
  const code = randomBytes(16).toString('hex')
  run(
    `INSERT INTO redemption_codes (user_id, code, status, name, quota, created_time, expired_time)
     VALUES (?, ?, 1, ?, ?, ?, ?)`,
    fields.userId,
    code,
    fields.name,
    fields.quota,
    fields.createdTime,
    fields.expiredTime,
  )
  return code
}

/** Writes what of a code may be changed. */
export function changeCode(
  { run }: Pick<Transaction, 'run'>,
  id: number,
  { status, name, quota, expiredTime }: RedemptionCode,
): void {
  run(
    `UPDATE redemption_codes SET status = ?, name = ?, quota = ?, expired_time = ?
     WHERE id = ? AND deleted_at = 0`,
    status,
    name,
    quota,
    expiredTime,
    id,
  )
}

/** Makes an enabled code that has not expired a used one; false when it was not such a code (any more). */
export const spendCode = (
  { run }: Pick<Transaction, 'run'>,
  { id, usedUserId, now }: { id: number; usedUserId: number; now: number },
): boolean =>
  run(
    `UPDATE redemption_codes SET status = 3, redeemed_time = ?, used_user_id = ?
     WHERE id = ? AND deleted_at = 0 AND status = 1 AND (expired_time = 0 OR expired_time >= ?)`,
    now,
    usedUserId,
    id,
    now,
  ) === 1

/** Deletes one code; false when there is none. */
export const deleteCode = (
  { run }: Pick<Transaction, 'run'>,
  { id, now }: { id: number; now: number },
): boolean =>
  run('UPDATE redemption_codes SET deleted_at = ? WHERE id = ? AND deleted_at = 0', now, id) === 1

/** Deletes what cannot be redeemed: used, disabled and expired codes. Returns how many. */
export const deleteInvalidCodes = ({ run }: Pick<Transaction, 'run'>, now: number): number =>
  run(
    `UPDATE redemption_codes SET deleted_at = ?
     WHERE deleted_at = 0 AND (status <> 1 OR (${PAST}))`,
    now,
    now,
  )
