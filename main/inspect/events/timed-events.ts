import { createParser } from 'eventsource-parser'
import { LineEnds } from '../../base/text/line-ends.ts'
import type { CapturedBody } from '../../capture/capture.ts'
import type { ServerEvent } from '../../convert/conversion.ts'
import { ArrayItems } from './array-items.ts'

/** One event of a stream, or one item of an array that was streamed. */
export interface TimedEvent extends ServerEvent {
  /** Milliseconds from the call's arrival to the bytes that completed it. */
  at: number
}

/** Reads a stream's text in pieces. */
interface EventSource {
  push(text: string): ServerEvent[]
}

/** Server-sent events in any form that the standard allows; comments are passed over. */
class SentEvents implements EventSource {
  readonly #lineEnds = new LineEnds()
  #found: ServerEvent[] = []
  readonly #parser = createParser({
    onEvent: ({ event, data }) => this.#found.push({ event: event ?? null, data }),
  })

  push(text: string): ServerEvent[] {
    this.#parser.feed(this.#lineEnds.push(text))
    const found = this.#found
    this.#found = []
    return found
  }
}

/** Gemini's streams without `alt=sse`: one JSON array. */
class StreamedArray implements EventSource {
  readonly #items = new ArrayItems()

  push(text: string): ServerEvent[] {
    return this.#items.push(text).map((data) => ({ event: null, data }))
  }
}

/** The events of a body in order. `at` is the time of one whose chunks have none. */
export function timedEvents({ chunks, times }: CapturedBody, at: number): TimedEvent[] {
  const decoder = new TextDecoder()
  const events: TimedEvent[] = []
  let source: EventSource | null = null
  let start = ''
  const take = (text: string, time: number) => {
    start += source ? '' : text
    if (start.trim() !== '')
      source ??= start.trim().startsWith('[') ? new StreamedArray() : new SentEvents()
    if (!source) return
    for (const event of source.push(start || text)) events.push({ at: time, ...event })
    start = ''
  }
  let last = at
  chunks.forEach((chunk, index) => {
    last = times[index] ?? last
    take(decoder.decode(chunk, { stream: true }), last)
  })
  // The last event counts without its blank line too.
  take(`${decoder.decode()}\n\n`, last)
  return events
}
