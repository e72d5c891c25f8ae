import type { Channel } from '../../store/records/channels.ts'
import type { CandidateNote } from '../call/route-note.ts'
import type { Standing } from '../circuit/circuit.ts'

/** What the log keeps of a channel in question. */
export function candidateNote(
  { id, name, priority, weight }: Channel,
  isNative: boolean,
  more: Partial<CandidateNote> = {},
): CandidateNote {
  const note: CandidateNote = { id, name, priority, weight }
  if (isNative) note.native = true
  return Object.assign(note, more)
}

/** Why a channel was not asked in its turn. Times of standings are `performance.now()`, those of notes since 1970. */
export function whyResting(standing: Standing): Partial<CandidateNote> {
  if (standing.state === 'open' || standing.state === 'half-open') return {}
  if (standing.state === 'trial') return { why: 'trial', reason: standing.reason }
  const { until, reason, isHinted } = standing
  return {
    why: isHinted ? 'rate_limited' : 'cooling',
    until: Math.round(Date.now() + until - performance.now()),
    reason,
  }
}
