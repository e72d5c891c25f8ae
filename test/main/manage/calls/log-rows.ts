import type { CallRow } from '../../../../main/store/ledger/ledger.ts'
import { type Management, startManagement } from '../management.ts'

/** Some seconds ago, so that rows with a later time are still in the past. */
export const now = Math.floor(Date.now() / 1000) - 1000

interface LogRow extends Partial<Omit<CallRow, 'other'>> {
  other?: Record<string, unknown>
}

/** A row of an ordinary call by this id, with what a test cares about put in. */
export const logRow = (requestId: string, { other = {}, ...fields }: LogRow = {}): CallRow => ({
  ...{ requestId, createdAt: now, type: 2, userId: 1, username: 'ada' },
  ...{ tokenId: 1, tokenName: 'laptop', channelId: 3, channelName: 'Vendor', model: 'gpt-a' },
  ...{ group: 'default', ip: '127.0.0.1', content: '', quota: 10, promptTokens: 100 },
  ...{ completionTokens: 20, useTime: 1740, isStream: false, status: 200, cachedTokens: 0 },
  isUnpriced: false,
  isEstimated: false,
  other: JSON.stringify({
    ...{ request_path: '/v1/chat/completions', wire_format: 'chat', ...other },
  }),
  ...fields,
})

export async function startWithRows(...rows: CallRow[]): Promise<Management> {
  const management = await startManagement()
  await Promise.all(rows.map((one) => management.gateway.parts.ledger.record(one)))
  return management
}

export const timelinePath = (query: Record<string, string>): string =>
  `/api/log/timeline?${new URLSearchParams(query)}`

export const idsOf = (rows: { request_id: string }[]): string[] =>
  rows.map(({ request_id }) => request_id)
