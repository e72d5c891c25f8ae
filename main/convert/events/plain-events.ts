import { createParser, type EventSourceParser } from 'eventsource-parser'
import { GatewayError } from '../../base/errors.ts'
import { LineEnds } from '../../base/text/line-ends.ts'

/** An event longer than this is none that a model sends; images of 4K resolution fit. */
const EVENT_LIMIT = 64 * 1024 * 1024

/** JSON over several lines; a line end within it is only white space. */
const isJson = (data: string): boolean => data.startsWith('{') || data.startsWith('[')

/**
 * Server-sent events in any form that the standard allows, with LF as line end, one data line an event, and no
 * byte order mark (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).
 */
export class PlainEvents {
  readonly #decoder = new TextDecoder()
  readonly #lineEnds = new LineEnds()
  readonly #parser: EventSourceParser
  #text = ''
  #sinceEvent = 0

  constructor() {
    this.#parser = createParser({
      onEvent: ({ id, event, data }) => {
        this.#sinceEvent = 0
        if (id !== undefined) this.#text += `id: ${id}\n`
        if (event !== undefined) this.#text += `event: ${event}\n`
        const lines = isJson(data) ? data.replaceAll('\n', ' ') : data.replaceAll('\n', '\ndata: ')
        this.#text += `data: ${lines}\n\n`
      },
      onComment: (comment) => {
        this.#text += `: ${comment}\n\n`
      },
      onRetry: (wait) => {
        this.#text += `retry: ${wait}\n\n`
      },
    })
  }

  /** Events that these bytes complete; throws `upstream_invalid` when an event grows without end. */
  push(bytes: Buffer): Buffer {
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

  /** The body has ended: its last event where that lacks its blank line, which is not added. */
  end(): Buffer {
    this.#parser.feed(`${this.#decoder.decode()}\n\n`)
    this.#text = this.#text.trimEnd()
    return this.#take()
  }

  #take(): Buffer {
    const text = this.#text
    this.#text = ''
    return Buffer.from(text)
  }
}
