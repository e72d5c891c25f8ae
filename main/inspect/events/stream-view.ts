import type { Capture, CapturedAnswer } from '../../capture/capture.ts'
import { readBody } from '../body/body-content.ts'
import { cutText } from '../body/cut-text.ts'
import { decodeEvents } from './decode-events.ts'
import { eventText } from './event-text.ts'
import { type DecodedStream, matchEvents } from './match-events.ts'
import { type TimedEvent, timedEvents } from './timed-events.ts'

/** Characters of an event that are shown. */
const SHOWN = 4096

/** An event as it is listed. */
export interface EventView {
  /** Milliseconds from the call's arrival. */
  at: number
  /** Its name; empty where it has none. */
  event: string
  /** At most 4096 characters. */
  data: string
  /** The words that it adds to the answer, as a person reads them. */
  text: string
}

/** Both event lists of a call. */
export interface StreamView {
  upstream: EventView[]
  client: EventView[]
  /** An upstream event's index, and that of a client's event which it became. */
  links: [number, number][]
}

interface Stream extends DecodedStream {
  events: TimedEvent[]
}

/** The events of an answer; none where it is no stream. */
export function eventsOf(answer: CapturedAnswer | null | undefined): TimedEvent[] {
  if (!answer) return []
  const { kind, text } = readBody(answer.body)
  const isArray = kind === 'json' && text !== null && /^\s*\[/.test(text)
  return kind === 'events' || isArray ? timedEvents(answer.body, answer.at) : []
}

function streamOf(answer: CapturedAnswer | null | undefined, format: string): Stream {
  const events = eventsOf(answer)
  return { events, decoded: decodeEvents(format, events) }
}

const shown = ({ events, decoded }: Stream): EventView[] =>
  events.map(({ at, event, data }, index) => ({
    at,
    event: event ?? '',
    data: cutText(data, SHOWN),
    text: cutText(eventText(data, decoded[index] ?? []), SHOWN),
  }))

/** The events that an exchange's upstream sent and those that the client got, and which became which. */
export function viewStream({ format, client, exchanges }: Capture, index: number): StreamView {
  const exchange = exchanges[index]
  const upstream = streamOf(exchange?.answer, exchange?.format ?? '')
  const own = streamOf(client.answer, format)
  // The answer of an attempt that failed never reached the client.
  const isLast = index === exchanges.length - 1
  return {
    upstream: shown(upstream),
    client: shown(own),
    links: isLast ? matchEvents(upstream, own) : [],
  }
}
