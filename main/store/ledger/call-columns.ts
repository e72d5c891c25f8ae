import type { CallRow } from './call-row.ts'
import type { Row } from './statements.ts'

export type StoredCall = CallRow & { id: number }

/** Columns that `toCall` needs. */
export const CALL_COLUMNS = `id, request_id AS requestId, created_at AS createdAt, type, user_id AS userId,
  username, token_id AS tokenId, token_name AS tokenName, channel_id AS channelId,
  channel_name AS channelName, model, user_group AS "group", ip, content, quota,
  prompt_tokens AS promptTokens, completion_tokens AS completionTokens, use_time AS useTime,
  is_stream AS isStream, status, other, cached_tokens AS cachedTokens, unpriced AS isUnpriced, estimated AS isEstimated`

export const toCall = (row: Row): StoredCall =>
  ({
    ...row,
    isStream: row.isStream === 1,
    isUnpriced: row.isUnpriced === 1,
    isEstimated: row.isEstimated === 1,
  }) as StoredCall

/** How many values a stored row has. */
const COLUMN_COUNT = 24

const PLACES = `(${Array(COLUMN_COUNT).fill('?').join(', ')})`

/** The statement that inserts so many rows. */
export const insertCalls = (count: number): string =>
  `INSERT INTO calls VALUES ${Array(count).fill(PLACES).join(', ')}`

export type ColumnValue = string | number

/** Adds the values of a row, in the order of the table's columns. */
export function addCallValues(values: ColumnValue[], id: number, row: CallRow): void {
  values.push(
    id,
    row.requestId,
    row.createdAt,
    row.type,
    row.userId,
    row.username,
    row.tokenId,
    row.tokenName,
    row.channelId,
    row.channelName,
    row.model,
    row.group,
    row.ip,
    row.content,
    row.quota,
    row.promptTokens,
    row.completionTokens,
    row.useTime,
    row.isStream ? 1 : 0,
    row.status,
    row.other,
    row.cachedTokens,
    row.isUnpriced ? 1 : 0,
    row.isEstimated ? 1 : 0,
  )
}

/** The values of one row. */
export function callValues(id: number, row: CallRow): ColumnValue[] {
  const values: ColumnValue[] = []
  addCallValues(values, id, row)
  return values
}
