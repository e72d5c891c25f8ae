import { useOperation } from './queries.ts'
import type { CallQuery } from './records.ts'
import { roles, useRole } from './use-role.ts'

/** All ledger rows for administrators, else the user's own. */
export function useCalls(query: CallQuery) {
  const role = useRole()
  const all = useOperation('call.list', query, {
    keepPrevious: true,
    enabled: role >= roles.administrator,
  })
  const { channel: _channel, username: _username, ...own } = query
  const mine = useOperation('call.list-self', own, {
    keepPrevious: true,
    enabled: role > 0 && role < roles.administrator,
  })
  return role >= roles.administrator ? all : mine
}

/** Sums since a time in unix seconds: of everybody for administrators, else the user's own. */
export function useCallStat(since: number) {
  const role = useRole()
  const query = { start_timestamp: since }
  const refetchInterval = 15_000
  const all = useOperation('call.stat', query, {
    refetchInterval,
    enabled: role >= roles.administrator,
  })
  const mine = useOperation('call.stat-self', query, {
    refetchInterval,
    enabled: role > 0 && role < roles.administrator,
  })
  return role >= roles.administrator ? all : mine
}
