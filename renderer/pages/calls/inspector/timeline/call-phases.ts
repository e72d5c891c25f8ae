import type { GatewaySentence } from '../../../../i18n/sentence-of.ts'
import type { CallFacts } from '../../call-facts.ts'
import type { AttemptFacts } from '../../route-facts.ts'
import type { CapturedEvent, CapturedExchange, CaptureRecord } from '../capture/capture-record.ts'

export type PhaseKind =
  | 'queued'
  | 'choosing'
  | 'cooldown'
  | 'preparing'
  | 'connecting'
  | 'sending'
  | 'waiting'
  | 'tried'
  | 'firstByte'
  | 'firstToken'
  | 'answering'
  | 'pause'
  | 'delivering'

/** A stretch of a call's time, in milliseconds from its arrival. */
export interface Phase {
  kind: PhaseKind
  from: number
  to: number
  /** It has not ended. */
  isOpen?: boolean
}

export interface PhaseGroup {
  /** `gateway`: before the first attempt; `client`: the answer's way to the client. */
  kind: 'gateway' | 'attempt' | 'client'
  /** Null for phases outside attempts. */
  attempt: {
    number: number
    name: string
    status: number | null
    failure: GatewaySentence | null
  } | null
  phases: Phase[]
}

export interface CallPhases {
  groups: PhaseGroup[]
  /** Milliseconds from the call's arrival to its end, or until now. */
  total: number
}

/** Milliseconds without an event that are shown as a pause. */
export const PAUSE = 1000

interface Try {
  exchange: CapturedExchange | null
  attempt: AttemptFacts | null
}

/** Attempts of the log beside the exchanges of the capture: those that failed before a request have none. */
function triesOf(exchanges: readonly CapturedExchange[], attempts: readonly AttemptFacts[]): Try[] {
  const tries: Try[] = []
  let next = 0
  for (const exchange of exchanges) {
    const found = attempts.findIndex(
      ({ channel }, index) => index >= next && channel === exchange.channel_id,
    )
    if (found < 0) {
      tries.push({ exchange, attempt: null })
      continue
    }
    for (const attempt of attempts.slice(next, found)) tries.push({ exchange: null, attempt })
    tries.push({ exchange, attempt: attempts[found] ?? null })
    next = found + 1
  }
  return [...tries, ...attempts.slice(next).map((attempt) => ({ exchange: null, attempt }))]
}

/** Adds stretches one after another; those without a length are left out, unless they must be told. */
class Stretch {
  readonly phases: Phase[] = []
  at: number

  constructor(from: number) {
    this.at = from
  }

  until(kind: PhaseKind, to: number | null | undefined): this {
    if (to === null || to === undefined || to < this.at) return this
    if (to > this.at) this.phases.push({ kind, from: this.at, to })
    this.at = to
    return this
  }

  open(kind: PhaseKind, to: number): this {
    if (to > this.at) this.phases.push({ kind, from: this.at, to, isOpen: true })
    return this
  }
}

function pausesOf(events: readonly CapturedEvent[], from: number): Phase[] {
  return events.flatMap(({ at }, index): Phase[] => {
    const before = events[index - 1]?.at ?? from
    return at - before > PAUSE ? [{ kind: 'pause', from: before, to: at }] : []
  })
}

const beginOf = ({ exchange, attempt }: Try): number => attempt?.at ?? exchange?.request.at ?? 0

/** Of an attempt that still runs and has no answer. */
function stepUnderWay({ connected_at, sent_at }: CapturedExchange) {
  if (connected_at === null) return 'connecting'
  return sent_at === null ? 'sending' : 'waiting'
}

function phasesOfTry(
  { exchange, attempt }: Try,
  events: readonly CapturedEvent[],
  now: number,
): Phase[] {
  const begin = beginOf({ exchange, attempt })
  const waited = attempt?.waited ?? 0
  const stretch = new Stretch(Math.max(0, begin - waited)).until('cooldown', begin)
  // When the answer started or the attempt failed.
  const decided = attempt?.duration === null || !attempt ? null : begin + attempt.duration
  if (!exchange) {
    const hasFailed = attempt !== null && (attempt.code !== null || attempt.after !== null)
    return stretch.until(hasFailed ? 'tried' : 'firstByte', decided).phases
  }
  stretch.until('preparing', exchange.request.at).until('connecting', exchange.connected_at)
  const { answer, sent_at: sent } = exchange
  // An answer may come before the request is sent whole.
  stretch.until('sending', sent === null || !answer ? sent : Math.min(sent, answer.at))
  if (!answer) {
    return exchange.failure || decided !== null
      ? stretch.until(exchange.connected_at === null ? 'connecting' : 'waiting', decided).phases
      : stretch.open(stepUnderWay(exchange), now).phases
  }
  stretch.until('waiting', answer.at)
  const first = events.find(({ text }) => text !== '')?.at
  stretch.until('firstToken', first)
  const phases =
    answer.ended_at === null
      ? stretch.open('answering', now).phases
      : stretch.until('answering', answer.ended_at).phases
  return [...phases, ...pausesOf(events, answer.at)]
}

interface PhaseSources {
  facts: CallFacts
  /** Null where it was not captured: then the log's own times are all there is. */
  capture: CaptureRecord | null
  /** Events of each exchange's answer. */
  events: readonly (readonly CapturedEvent[])[]
  /** Milliseconds that the call waited for a free slot. */
  queued: number
}

const largest = (values: readonly (number | null | undefined)[]): number =>
  values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0)

/** A call's time in phases, every attempt on its own. */
export function callPhases(sources: PhaseSources): CallPhases {
  const { facts, capture, events, queued } = sources
  const exchanges = capture?.exchanges ?? []
  const attempts = facts.route?.attempts ?? []
  const tries = triesOf(exchanges, attempts)
  const answer = capture?.client.answer ?? null
  const total = largest([
    facts.duration,
    answer?.at,
    answer?.ended_at,
    ...exchanges.flatMap((one) => [one.request.at, one.connected_at]),
    ...exchanges.flatMap(({ answer }) => [answer?.at, answer?.ended_at]),
    // Of a call under way they are read later than its duration.
    ...events.map((ofTry) => ofTry.at(-1)?.at),
    ...attempts.map(({ at, duration }) => (at ?? 0) + (duration ?? 0)),
  ])

  const firstTry = tries[0]
  const chosen = firstTry
    ? beginOf(firstTry) - (firstTry.attempt?.waited ?? 0)
    : (answer?.at ?? total)
  const gateway = new Stretch(0).until('queued', Math.min(queued, chosen)).until('choosing', chosen)
  const groups: PhaseGroup[] = [{ kind: 'gateway', attempt: null, phases: gateway.phases }]

  tries.forEach((one, index) => {
    const { exchange, attempt } = one
    const message = attempt?.message ?? attempt?.code ?? null
    const noted = message === null ? null : { message, reason: attempt?.reason }
    const failure = exchange?.failure ?? noted
    groups.push({
      kind: 'attempt',
      attempt: {
        number: index + 1,
        name: exchange?.channel_name ?? attempt?.name ?? `#${attempt?.channel}`,
        status: exchange?.answer?.status ?? attempt?.status ?? null,
        failure,
      },
      phases: phasesOfTry(one, (exchange && events[exchanges.indexOf(exchange)]) ?? [], total),
    })
  })
  if (answer) {
    const delivery = new Stretch(answer.at)
    if (answer.ended_at === null) delivery.open('delivering', total)
    else delivery.until('delivering', answer.ended_at)
    groups.push({ kind: 'client', attempt: null, phases: delivery.phases })
  }
  return {
    groups: groups.filter(({ kind, phases }) => kind === 'attempt' || phases.length > 0),
    total,
  }
}
