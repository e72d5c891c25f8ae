import type { AgentSession } from '../../gateway/records.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

/** How long a session took. Its calls are booked by the second. */
export function sessionSpan({
  started_at: start,
  ended_at: end,
}: Pick<AgentSession, 'started_at' | 'ended_at'>): string {
  const seconds = end - start
  if (seconds < 1) return '< 1 s'
  if (seconds < MINUTE) return `${seconds} s`
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min ${seconds % MINUTE} s`
  return `${Math.floor(seconds / HOUR)} h ${Math.floor((seconds % HOUR) / MINUTE)} min`
}
