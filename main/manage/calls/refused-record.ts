import type { StoredRefusal } from '../../store/refused/refused-request.ts'
import type { CallRecord } from './call-record.ts'

/** A refused request among calls: it cost nothing and reached no channel. */
export interface RefusedRecord extends CallRecord {
  kind: 'refused'
  has_capture: boolean
}

/** As calls say it, and what only a refused request has: `method`, `hint`, and how many `more` were like it. */
const otherOf = (row: StoredRefusal): string =>
  JSON.stringify({
    request_path: row.path,
    method: row.method,
    error_code: row.code,
    status_code: row.status,
    client: row.client,
    ...(row.format === '' ? {} : { wire_format: row.format }),
    ...(row.hint === '' ? {} : { hint: row.hint }),
    ...(row.more === 0 ? {} : { more: row.more }),
  })

/** The wire's form of a refused request; its id is its own, not the ledger's. */
export const toRefusedRecord = (row: StoredRefusal, hasCapture = false): RefusedRecord => ({
  kind: 'refused',
  has_capture: hasCapture,
  id: row.id,
  user_id: row.userId,
  username: row.username,
  created_at: Math.floor(row.time / 1000),
  type: 5,
  content: row.message,
  token_id: row.tokenId,
  token_name: row.tokenName,
  channel: 0,
  channel_name: '',
  model_name: row.model,
  group: '',
  ip: row.ip,
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  use_time: Math.round(row.duration / 1000),
  use_time_ms: Math.round(row.duration),
  is_stream: false,
  status: row.status,
  request_id: row.requestId,
  other: otherOf(row),
})
