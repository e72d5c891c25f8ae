import type { Channel } from '../../store/records/channels.ts'
import type { CandidateNote } from '../call/route-note.ts'
import type { CircuitState } from '../circuit/circuit.ts'

/** A candidate as the log keeps it. */
export function candidateNote(
  { id, name, priority, weight }: Channel,
  isNative: boolean,
  more: Partial<CandidateNote> = {},
): CandidateNote {
  const note: CandidateNote = { id, name, priority, weight }
  if (isNative) note.native = true
  return Object.assign(note, more)
}

/** Why a channel was not asked in its turn. Times of circuits are `performance.now()`, those of notes since 1970. */
export function whyResting(circuit: CircuitState): Partial<CandidateNote> {
  if (circuit.state === 'closed') return {}
  const { reason, why, isHinted } = circuit
  const cause = { reason, ...(why && { coded: why }) }
  if (circuit.state === 'half-open') return circuit.isProbing ? { why: 'half-open', ...cause } : {}
  return {
    why: isHinted ? 'rate_limited' : 'open',
    until: Math.round(Date.now() + circuit.until - performance.now()),
    ...cause,
  }
}
