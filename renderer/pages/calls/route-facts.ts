/** A channel that might have served a call, with null for what the note does not say. */
export interface CandidateFacts {
  id: number
  name: string
  priority: number | null
  weight: number | null
  /** Its place in the order, from 1; null where it was not to be asked. */
  place: number | null
  native: boolean
  why: string | null
  /** Milliseconds since 1970 at which its cooldown ends. */
  until: number | null
  /** Why it was cooling down. */
  reason: string | null
}

/** One try at a channel; times are milliseconds. */
export interface AttemptFacts {
  channel: number
  /** As the channel is called in the list of candidates. */
  name: string | null
  /** Of a channel with several keys the one that was used, from 0. */
  key: number | null
  /** From the call's arrival to the attempt's beginning. */
  at: number | null
  /** Until its answer began, or it failed. */
  duration: number | null
  status: number | null
  code: string | null
  message: string | null
  waited: number | null
  /** Of a failure: what came of it. */
  after: string | null
}

/** How a call found its channel. */
export interface RouteFacts {
  candidates: CandidateFacts[]
  /** Candidates beyond those that are listed. */
  more: number
  attempts: AttemptFacts[]
  affinity: string | null
}

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const fieldsIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])

const numberIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

const textIn = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/**
 * Reads `admin_info.route` of a ledger row; null where the row has none. The ledger keeps it as text that
 * other versions may have written: what is not as expected is left out, and breaks nothing.
 */
export function readRoute(info: unknown): RouteFacts | null {
  const route = isFields(info) ? info.route : null
  if (!isFields(route)) return null
  const candidates = fieldsIn(route.candidates).flatMap(readCandidate)
  const nameOf = (id: number) => candidates.find((one) => one.id === id)?.name ?? null
  const attempts = fieldsIn(route.attempts).flatMap((one) => readAttempt(one, nameOf))
  if (candidates.length === 0 && attempts.length === 0) return null
  return {
    candidates,
    more: numberIn(route.more) ?? 0,
    attempts,
    affinity: textIn(route.affinity),
  }
}

function readCandidate(note: Fields): CandidateFacts[] {
  const id = numberIn(note.id)
  if (id === null) return []
  return [
    {
      id,
      name: textIn(note.name) ?? '',
      priority: numberIn(note.priority),
      weight: numberIn(note.weight),
      place: numberIn(note.place),
      native: note.native === true,
      why: textIn(note.why),
      until: numberIn(note.until),
      reason: textIn(note.reason),
    },
  ]
}

function readAttempt(note: Fields, nameOf: (id: number) => string | null): AttemptFacts[] {
  const channel = numberIn(note.channel)
  if (channel === null) return []
  return [
    {
      channel,
      name: nameOf(channel),
      key: numberIn(note.key),
      at: numberIn(note.at),
      duration: numberIn(note.ms),
      status: numberIn(note.status),
      code: textIn(note.code),
      message: textIn(note.message),
      waited: numberIn(note.waited),
      after: textIn(note.after),
    },
  ]
}
