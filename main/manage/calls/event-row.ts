import { unixSeconds } from '../../base/clock.ts'
import type { Sentence } from '../../base/reason.ts'
import type { CallRow } from '../../store/ledger/ledger.ts'
import type { User } from '../../store/records/users.ts'

interface EventFacts {
  requestId: string
  ip: string
  /** HTTP status that the act was answered with. */
  status?: number
  /** Units credited (type 1), or taken back (type 6, negative). */
  quota?: number
  /** Further facts for the log's `other`. */
  other?: Record<string, unknown>
}

/**
 * A row of the log that is no model call: a top-up (1), an act of an administrator (3), of the system or a
 * user's own (4), a claw-back (6). `user` is whom it is about.
 */
export const eventRow = (
  type: 1 | 3 | 4 | 6,
  user: Pick<User, 'id' | 'username' | 'group'>,
  content: Sentence,
  { requestId, ip, status = 200, quota = 0, other = {} }: EventFacts,
): CallRow => ({
  requestId,
  createdAt: unixSeconds(),
  type,
  userId: user.id,
  username: user.username,
  tokenId: 0,
  tokenName: '',
  channelId: 0,
  channelName: '',
  model: '',
  group: user.group,
  ip,
  content: content.message,
  quota,
  promptTokens: 0,
  completionTokens: 0,
  useTime: 0,
  isStream: false,
  status,
  other: JSON.stringify({ ...other, reason: content.reason }),
  cachedTokens: 0,
  isUnpriced: false,
  isEstimated: false,
})
