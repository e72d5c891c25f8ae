import type { CallRow } from '../store/ledger.ts'

/** A ledger row as its list shows it (management-api §9); `use_time` is in seconds. */
export function toCallRecord(row: CallRow & { id: number }) {
  return {
    id: row.id,
    user_id: row.userId,
    username: row.username,
    created_at: row.createdAt,
    type: row.type,
    content: row.content,
    token_id: row.tokenId,
    token_name: row.tokenName,
    channel: row.channelId,
    channel_name: row.channelName,
    model_name: row.model,
    group: row.group,
    ip: row.ip,
    quota: row.quota,
    prompt_tokens: row.promptTokens,
    completion_tokens: row.completionTokens,
    use_time: Math.round(row.useTime / 1000),
    use_time_ms: Math.round(row.useTime),
    is_stream: row.isStream,
    /** HTTP status that the client saw; 499 = the client had left. */
    status: row.status,
    request_id: row.requestId,
    /** JSON. */
    other: row.other,
  }
}

export type CallRecord = ReturnType<typeof toCallRecord>

/** A row in a user's own list: numbered from 1, and without what only administrators may know. */
export function toOwnCallRecord(row: CallRow & { id: number }, position: number): CallRecord {
  return {
    ...toCallRecord(row),
    id: position,
    channel_name: '',
    other: withoutAdminInfo(row.other),
  }
}

function withoutAdminInfo(other: string): string {
  try {
    const { admin_info: _admin, reject_reason: _reason, ...rest } = JSON.parse(other || '{}')
    return JSON.stringify(rest)
  } catch {
    return '{}'
  }
}
