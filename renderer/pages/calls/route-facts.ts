import type { GatewaySentence } from '../../i18n/sentence-of.ts'
import { type LossFacts, readLosses, readReason } from './loss-facts.ts'

/** A channel that could have served the call; null is not recorded. */
export interface CandidateFacts {
  id: number
  name: string
  /** The target's model, under a route. */
  model: string | null
  priority: number | null
  weight: number | null
  /** Place in the order, from 1; null when skipped. */
  place: number | null
  native: boolean
  why: string | null
  /** End of its cooldown, in milliseconds since 1970. */
  until: number | null
  /** Reason of its cooldown. */
  reason: string | null
  /** The same by code. */
  coded: GatewaySentence['reason']
}

/** Times are milliseconds. */
export interface AttemptFacts {
  channel: number
  /** Null when the channel isn't among the candidates listed. */
  name: string | null
  /** The target's model, under a route. */
  model: string | null
  /** Index of the key of a multi-key channel, from 0. */
  key: number | null
  /** From the call's arrival to the start of the attempt. */
  at: number | null
  /** Until the answer started or the attempt failed. */
  duration: number | null
  status: number | null
  code: string | null
  message: string | null
  reason: GatewaySentence['reason']
  waited: number | null
  /** Outcome code of a failed attempt. */
  after: string | null
  /** Conversion losses of a failed attempt. */
  losses: LossFacts[]
}

/** The route that the client asked for. */
export interface NamedRoute {
  name: string
  /** The rule that chose; null for the route's own targets. */
  rule: string | null
  /** Models of targets that no channel served. */
  unserved: string[]
}

export interface RouteFacts {
  /** Null for a call that asked for a model itself. */
  named: NamedRoute | null
  candidates: CandidateFacts[]
  /** Number of candidates that aren't listed. */
  more: number
  attempts: AttemptFacts[]
  affinity: string | null
}

type Fields = Record<string, unknown>

/** Names of circuit states in rows of older versions. */
const olderNames: Readonly<Record<string, string>> = { cooling: 'open', trial: 'half-open' }

const isFields = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const fieldsIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])

const numberIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

const textIn = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/**
 * Reads `admin_info.route` of a ledger row; null when the row has none. Other versions may have written it,
 * so unexpected parts are skipped.
 */
export function readRoute(info: unknown): RouteFacts | null {
  const route = isFields(info) ? info.route : null
  if (!isFields(route)) return null
  const candidates = fieldsIn(route.candidates).flatMap(readCandidate)
  const nameOf = (id: number) => candidates.find((one) => one.id === id)?.name ?? null
  const attempts = fieldsIn(route.attempts).flatMap((one) => readAttempt(one, nameOf))
  const named = readNamed(route.named)
  if (candidates.length === 0 && attempts.length === 0 && !named) return null
  return {
    named,
    candidates,
    more: numberIn(route.more) ?? 0,
    attempts,
    affinity: textIn(route.affinity),
  }
}

function readNamed(note: unknown): NamedRoute | null {
  const name = isFields(note) ? textIn(note.name) : null
  if (!isFields(note) || name === null) return null
  const { unserved } = note
  return {
    name,
    rule: textIn(note.rule),
    unserved: Array.isArray(unserved) ? unserved.filter((one) => textIn(one) !== null) : [],
  }
}

function readCandidate(note: Fields): CandidateFacts[] {
  const id = numberIn(note.id)
  const why = textIn(note.why)
  if (id === null) return []
  return [
    {
      id,
      name: textIn(note.name) ?? '',
      model: textIn(note.model),
      priority: numberIn(note.priority),
      weight: numberIn(note.weight),
      place: numberIn(note.place),
      native: note.native === true,
      why: why === null ? null : (olderNames[why] ?? why),
      until: numberIn(note.until),
      reason: textIn(note.reason),
      coded: readReason(note.coded),
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
      model: textIn(note.model),
      key: numberIn(note.key),
      at: numberIn(note.at),
      duration: numberIn(note.ms),
      status: numberIn(note.status),
      code: textIn(note.code),
      message: textIn(note.message),
      reason: readReason(note.reason),
      waited: numberIn(note.waited),
      after: textIn(note.after),
      losses: readLosses(note.loss),
    },
  ]
}
