import type { ServerEvent } from '../../convert/conversion.ts'
import type { StreamPart } from '../../convert/stream/stream-part.ts'

/** Characters that reasoning of several sections has between two of them in one text. */
const SECTION_GAP = 2

/** An event's characters in one lane of the answer: a text, a call's arguments, the place of a mark. */
interface Span {
  event: number
  from: number
  to: number
}

/** The name of the reason in an event that ends an answer, before any decoder tells it. */
const STOP = /"(?:finish_reason|finishReason|stop_reason)"\s*:\s*"/

/** The places of a stream's events in the answer that they make together, by lane. */
class AnswerLanes {
  readonly lanes = new Map<string, Span[]>()
  readonly #lengths = new Map<string, number>()
  /** By block. */
  readonly #laneOf = new Map<number, string>()
  readonly #sections = new Map<number, number>()
  readonly #counts = new Map<string, number>()

  /** Puts what begins here into a lane: all texts of an answer are one, each call has its own. */
  begin(event: number, block: number, kind: string): void {
    this.mark(event, `${kind} ${this.#count(kind)} begins`)
    this.#laneOf.set(block, kind.startsWith('call') ? `${kind} ${this.#counts.get(kind)}` : kind)
  }

  append(event: number, block: number, text: string, section = 0): void {
    const lane = this.#laneOf.get(block)
    if (lane === undefined || text === '') return
    const before = this.#sections.get(block) ?? 0
    const gap = Math.max(0, section - before) * SECTION_GAP
    this.#sections.set(block, section)
    const from = (this.#lengths.get(lane) ?? 0) + gap
    this.#lengths.set(lane, from + text.length)
    this.#add(lane, { event, from, to: from + text.length })
  }

  /** Something that comes whole: an image, a hosted tool's result. */
  whole(event: number, kind: string): void {
    this.mark(event, `${kind} ${this.#count(kind)}`)
  }

  /** A place without characters. */
  mark(event: number, lane: string): void {
    this.#add(lane, { event, from: 0, to: 1 })
  }

  /** The last event counts alone. */
  last(event: number, lane: string): void {
    this.lanes.set(lane, [{ event, from: 0, to: 1 }])
  }

  #add(lane: string, span: Span): void {
    const spans = this.lanes.get(lane)
    if (spans) spans.push(span)
    else this.lanes.set(lane, [span])
  }

  #count(kind: string): number {
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    return count
  }
}

function place(lanes: AnswerLanes, event: number, part: StreamPart): void {
  switch (part.type) {
    case 'text-start':
    case 'refusal-start':
      lanes.begin(event, part.block, `text ${part.choice}`)
      break
    case 'reasoning-start':
      lanes.begin(event, part.block, `reasoning ${part.choice}`)
      break
    case 'call-start':
      lanes.begin(event, part.block, `call ${part.choice}`)
      break
    case 'text-delta':
    case 'refusal-delta':
    case 'call-delta':
      lanes.append(event, part.block, part.text)
      break
    case 'reasoning-delta':
      lanes.append(event, part.block, part.text, part.section)
      break
    case 'whole':
      lanes.whole(event, part.part.type)
      break
    case 'response-start':
    case 'error':
      lanes.mark(event, part.type)
      break
    case 'usage':
      lanes.last(event, part.type)
      break
    default:
  }
}

/** Events that say why an answer is over: by their own words, else where the decoder tells it. */
function markStops(lanes: AnswerLanes, events: readonly ServerEvent[], decoded: StreamPart[][]) {
  const inWords = events.flatMap(({ data }, index) => (STOP.test(data) ? [index] : []))
  const ended = decoded.flatMap((parts, index) =>
    parts.some(({ type }) => type === 'stop') ? [index] : [],
  )
  for (const event of inWords.length > 0 ? inWords : ended) lanes.last(event, 'stop')
}

function lanesOf(
  events: readonly ServerEvent[],
  decoded: StreamPart[][],
): ReadonlyMap<string, Span[]> {
  const lanes = new AnswerLanes()
  decoded.forEach((parts, event) => {
    for (const part of parts) place(lanes, event, part)
  })
  markStops(lanes, events, decoded)
  return lanes.lanes
}

/**
 * Pairs of spans of one lane that share a character; both are in order. What came in one event came from all of the
 * other side, also where it was written anew, as Gemini's arguments are.
 */
function* overlaps(first: readonly Span[], second: readonly Span[]): Generator<[Span, Span]> {
  if (first.length === 1 || second.length === 1) {
    for (const one of first) for (const other of second) yield [one, other]
    return
  }
  let from = 0
  for (const one of first) {
    while (from < second.length && (second[from] as Span).to <= one.from) from++
    for (let index = from; index < second.length; index++) {
      const other = second[index] as Span
      if (other.from >= one.to) break
      yield [one, other]
    }
  }
}

/** A stream and the answer's parts that its events bring. */
export interface DecodedStream {
  events: readonly ServerEvent[]
  decoded: StreamPart[][]
}

const isSame = (one: readonly ServerEvent[], other: readonly ServerEvent[]): boolean =>
  one.length === other.length && one.every(({ data }, index) => data === other[index]?.data)

/**
 * Which events of the upstream became which of the client: those that bring the same characters of the answer, or
 * the same mark of it (its beginning, a call's name, why it ended, usage). Pairs of indexes, in order.
 */
export function matchEvents(upstream: DecodedStream, client: DecodedStream): [number, number][] {
  if (isSame(upstream.events, client.events)) {
    return upstream.events.map((_, index) => [index, index])
  }
  const others = lanesOf(client.events, client.decoded)
  const links = new Map<string, [number, number]>()
  for (const [lane, spans] of lanesOf(upstream.events, upstream.decoded)) {
    for (const [one, other] of overlaps(spans, others.get(lane) ?? [])) {
      links.set(`${one.event} ${other.event}`, [one.event, other.event])
    }
  }
  return [...links.values()].sort((one, other) => one[0] - other[0] || one[1] - other[1])
}
