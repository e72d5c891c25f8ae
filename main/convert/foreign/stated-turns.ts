import type { ExchangeRequest, Turn } from '../exchange.ts'

const isUsers = ({ role }: Turn): boolean => role === 'user' || role === 'tool'

/**
 * The request for a format whose turns say nothing beside their words: the last effort is the request's, and a turn
 * that was to be read only until the user's next message is gone where there is one.
 */
export function withoutStatements(request: ExchangeRequest): ExchangeRequest {
  const { turns, reasoning } = request
  if (!turns.some(({ effort, isFleeting }) => effort !== undefined || isFleeting)) return request
  const lastOfUser = turns.findLastIndex(isUsers)
  const stated = turns.findLast(({ effort }) => effort !== undefined)?.effort
  const kept = turns.flatMap(({ effort, isFleeting, ...turn }, index): Turn[] => {
    if (isFleeting && index < lastOfUser) return []
    return effort !== undefined && turn.parts.length === 0 ? [] : [turn]
  })
  return {
    ...request,
    turns: kept,
    ...(stated === undefined ? {} : { reasoning: { ...reasoning, effort: stated } }),
  }
}
