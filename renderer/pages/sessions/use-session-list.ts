import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OperationOutput } from '../../../preload/contract.ts'
import { useOperation, useRefreshInTurn } from '../../gateway/queries.ts'
import type { AgentSession } from '../../gateway/records.ts'

type Page = OperationOutput<'agent-session.list'>

/** A page as its reader sees it. */
interface ShownPage {
  /** Filter and cursor. */
  of: string
  /** It takes these in. */
  data: Page
  sessions: readonly AgentSession[]
  /** Sessions that came since. */
  news: number
}

const keyOf = ({ id, user_id: user }: AgentSession): string => `${user} ${id}`

/** No session comes, goes or moves in a page that is shown; their figures change in their places. */
function takeIn(shown: ShownPage | null, of: string, data: Page): ShownPage {
  if (shown?.of !== of || shown.sessions.length === 0)
    return { of, data, sessions: data.sessions, news: 0 }
  const now = new Map(data.sessions.map((session) => [keyOf(session), session]))
  const sessions = shown.sessions.map((session) => now.get(keyOf(session)) ?? session)
  for (const session of sessions) now.delete(keyOf(session))
  return { of, data, sessions, news: now.size }
}

/** A page of sessions that stands still under its reader; sessions that came since are counted in `news`. */
export function useSessionList(q: string, cursor: string) {
  const queryClient = useQueryClient()
  const query = useOperation('agent-session.list', { q, cursor }, { keepPrevious: true })
  const again = () => void queryClient.invalidateQueries({ queryKey: ['agent-session.list'] })
  useRefreshInTurn('calls', ['agent-session.list'], query.isFetching, again)

  const [shown, setShown] = useState<ShownPage | null>(null)
  const { data, isPlaceholderData } = query
  if (data && !isPlaceholderData && shown?.data !== data)
    setShown(takeIn(shown, JSON.stringify([q, cursor]), data))
  return {
    query,
    sessions: shown?.sessions ?? [],
    // A page further back only gains what the one before it loses.
    news: cursor === '' ? (shown?.news ?? 0) : 0,
    /** Shows the page as it is now. */
    showNews: () => setShown(null),
  }
}
