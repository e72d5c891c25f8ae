import type { RefusedSource } from '../../../../main/manage/calls/timeline-sources.ts'
import type { StoredCall } from '../../../../main/store/ledger/ledger.ts'
import { matchesFacts } from '../../../../main/store/ledger/search/matches-facts.ts'

/** Refused requests that lie in memory. */
export const refusedIn = (rows: readonly StoredCall[]): RefusedSource => ({
  async list(conditions, before, limit) {
    return rows
      .filter((row) => matchesFacts(row, conditions, 'refused'))
      .filter(
        ({ createdAt, id }) =>
          !before || createdAt < before.time || (createdAt === before.time && id < before.id),
      )
      .sort((one, other) => other.createdAt - one.createdAt || other.id - one.id)
      .slice(0, limit)
  },
  find: (requestId) => rows.find((row) => row.requestId === requestId) ?? null,
  countSince: async (conditions, { id }) =>
    rows.filter((row) => row.id > id && matchesFacts(row, conditions, 'refused')).length,
  newest: () => ({ time: 0, id: rows.length }),
})
