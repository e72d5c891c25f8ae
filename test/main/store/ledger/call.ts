import type { CallRow } from '../../../../main/store/ledger/ledger.ts'

/** A row of an ordinary call, with what the test cares about put in. */
export const call = (fields: Partial<CallRow> = {}): CallRow => ({
  ...{ requestId: 'r', createdAt: 1_700_000_000, type: 2, userId: 1, username: 'owner' },
  ...{ tokenId: 2, tokenName: 'laptop', channelId: 3, channelName: 'One', model: 'model-a' },
  ...{ group: 'default', ip: '127.0.0.1', content: '', quota: 10, promptTokens: 5 },
  ...{ completionTokens: 7, useTime: 12, isStream: true, status: 200, other: '{}' },
  ...{ cachedTokens: 0, isUnpriced: false, isEstimated: false },
  ...fields,
})
