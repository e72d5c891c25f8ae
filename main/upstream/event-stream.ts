import { createParser, type EventSourceParser } from 'eventsource-parser'
import { GatewayError } from '../base/errors.ts'
import { LineEnds } from '../base/text/line-ends.ts'

/** One event of a stream: its name where it has one, and its data lines joined by line ends. */
export interface ServerSentEvent {
  event: string | null
  data: string
}

/** An event longer than this is none that a model sends; images of 4K resolution fit. */
const EVENT_LIMIT = 64 * 1024 * 1024

/**
 * Server-sent events out of bytes that are cut anywhere, within a character too
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html). Comments and events without data are
 * passed over; a last event without its blank line counts.
 */
export class EventStream {
  readonly #decoder = new TextDecoder()
  readonly #lineEnds = new LineEnds()
  readonly #parser: EventSourceParser
  #found: ServerSentEvent[] = []
  #sinceEvent = 0

  constructor() {
    this.#parser = createParser({
      onEvent: ({ event, data }) => {
        this.#sinceEvent = 0
        if (data !== '') this.#found.push({ event: event ?? null, data })
      },
    })
  }

  /** The events that these bytes complete; throws `upstream_invalid` when one grows without end. */
  push(bytes: Buffer): ServerSentEvent[] {
    this.#sinceEvent += bytes.length
    this.#parser.feed(this.#lineEnds.push(this.#decoder.decode(bytes, { stream: true })))
    if (this.#sinceEvent > EVENT_LIMIT) {
      throw new GatewayError('upstream_invalid', {
        message: `The upstream sent an event of more than ${EVENT_LIMIT / 1024 / 1024} MiB.`,
        reason: { code: 'upstream_event_long', mebibytes: EVENT_LIMIT / 1024 / 1024 },
      })
    }
    return this.#take()
  }

  /** The body has ended. */
  end(): ServerSentEvent[] {
    this.#parser.feed(`${this.#decoder.decode()}\n\n`)
    return this.#take()
  }

  #take(): ServerSentEvent[] {
    const found = this.#found
    this.#found = []
    return found
  }
}
