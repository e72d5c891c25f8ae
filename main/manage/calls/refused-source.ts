import type { StoredCall } from '../../store/ledger/ledger.ts'
import { matchesFacts } from '../../store/ledger/search/matches-facts.ts'
import type { SearchCondition } from '../../store/ledger/search/search-condition.ts'
import type { Place } from '../../store/ledger/search/searches.ts'
import type { StoredRefusal } from '../../store/refused/refused-request.ts'
import type { RefusedRequests } from '../../store/refused/refused-requests.ts'
import type { RefusedSource } from './timeline-sources.ts'

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
    ...(row.reason === '' ? {} : { error_reason: JSON.parse(row.reason) }),
    ...(row.hintReason === '' ? {} : { hint_reason: JSON.parse(row.hintReason) }),
    ...(row.more === 0 ? {} : { more: row.more }),
  })

/** A refused request as a row among calls: it cost nothing and reached no channel. Its id is its own, not the ledger's. */
const refusedRow = (row: StoredRefusal): StoredCall => ({
  id: row.id,
  requestId: row.requestId,
  createdAt: Math.floor(row.time / 1000),
  type: 5,
  userId: row.userId,
  username: row.username,
  tokenId: row.tokenId,
  tokenName: row.tokenName,
  channelId: 0,
  channelName: '',
  model: row.model,
  group: '',
  ip: row.ip,
  content: row.message,
  quota: 0,
  promptTokens: 0,
  completionTokens: 0,
  useTime: Math.round(row.duration),
  isStream: false,
  status: row.status,
  other: otherOf(row),
  cachedTokens: 0,
  isUnpriced: false,
  isEstimated: false,
})

/** The refused requests for the Calls list. */
export function refusedSource(refused: RefusedRequests): RefusedSource {
  const fits = (conditions: readonly SearchCondition[]) => (row: StoredRefusal) =>
    matchesFacts(refusedRow(row), conditions, 'refused')
  return {
    async list(conditions, before, limit) {
      const asked = { limit, matches: fits(conditions) }
      return refused.list(before ? { ...asked, before: before.id } : asked).map(refusedRow)
    },
    find(requestId) {
      const row = refused.get(requestId)
      return row && refusedRow(row)
    },
    async countSince(conditions, since) {
      const matches = fits(conditions)
      const isNew = (row: StoredRefusal) => row.id > since.id && matches(row)
      return refused.list({ limit: Infinity, matches: isNew }).length
    },
    newest(): Place {
      const [row] = refused.list({ limit: 1 })
      return row ? { time: Math.floor(row.time / 1000), id: row.id } : { time: 0, id: 0 }
    },
  }
}
