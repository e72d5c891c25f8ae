import type { CallRow } from './call-row.ts'
import type { Row } from './statements.ts'

export type StoredCall = CallRow & { id: number }

/** What a SELECT of `toCall`'s rows names. */
export const CALL_COLUMNS = `id, request_id AS requestId, created_at AS createdAt, type, user_id AS userId,
  username, token_id AS tokenId, token_name AS tokenName, channel_id AS channelId,
  channel_name AS channelName, model, user_group AS "group", ip, content, quota,
  prompt_tokens AS promptTokens, completion_tokens AS completionTokens, use_time AS useTime,
  is_stream AS isStream, status, other, cached_tokens AS cachedTokens, unpriced AS isUnpriced`

export const toCall = (row: Row): StoredCall =>
  ({ ...row, isStream: row.isStream === 1, isUnpriced: row.isUnpriced === 1 }) as StoredCall
