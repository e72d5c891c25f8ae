import { z } from 'zod'
import type { CallRow } from '../../store/ledger/ledger.ts'

/** A row of the log as its lists show it (management-api §9). */
export const callRecord = z.strictObject({
  id: z.int().describe('In a user’s own list the place in that list, from 1.'),
  user_id: z.int(),
  username: z.string(),
  created_at: z.int().describe('Unix seconds.'),
  type: z
    .int()
    .describe(
      '1 top-up, 2 answered call, 3 act of an administrator, 4 system, 5 failed call, 6 claw-back.',
    ),
  content: z.string().describe('For a person: of a failed call its message.'),
  token_id: z.int().describe('0 = none.'),
  token_name: z.string(),
  channel: z.int().describe('0 = it never reached one.'),
  channel_name: z.string().describe('Empty in a user’s own list.'),
  model_name: z.string(),
  group: z.string(),
  ip: z.string().describe('In a user’s own list empty unless the user’s `record_ip_log` is on.'),
  quota: z.int().describe('Units.'),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  use_time: z.int().describe('Seconds.'),
  use_time_ms: z.int().describe('Milliseconds.'),
  is_stream: z.boolean(),
  status: z
    .int()
    .describe(
      'HTTP status that the client saw; 499 = the client had left, or the call was stopped.',
    ),
  request_id: z.string().optional(),
  other: z.string().describe('JSON.'),
})

export type CallRecord = z.infer<typeof callRecord>

/** The wire's form of a row. */
export function toCallRecord(row: CallRow & { id: number }): CallRecord {
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
    status: row.status,
    ...(row.requestId === '' ? {} : { request_id: row.requestId }),
    other: row.other,
  }
}

/**
 * A row in a user's own list: numbered from 1, without what only administrators may know, and with the
 * address only where the user wants it shown.
 */
export function toOwnCallRecord(
  row: CallRow & { id: number },
  position: number,
  showsIp: boolean,
): CallRecord {
  return {
    ...toCallRecord(row),
    id: position,
    channel_name: '',
    ip: showsIp ? row.ip : '',
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
