/** An event of a stream: its name where it has one, and its data lines joined by line ends. */
export interface SplitEvent {
  event: string | null
  data: string
}

/**
 * Server-sent events out of bytes in any pieces. For tests: as strict as the standard in what counts
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html), and without any bound.
 */
export class EventSplitter {
  readonly #decoder = new TextDecoder()
  #text = ''

  push(bytes: Buffer): SplitEvent[] {
    this.#text += this.#decoder.decode(bytes, { stream: true })
    return this.#take()
  }

  /** The body has ended: a last event without its blank line counts. */
  end(): SplitEvent[] {
    this.#text += `${this.#decoder.decode()}\n\n`
    return this.#take()
  }

  #take(): SplitEvent[] {
    // A line end that is cut in two must not count as two.
    const whole = this.#text.endsWith('\r') ? this.#text.slice(0, -1) : this.#text
    const blocks = whole.replaceAll(/\r\n?/g, '\n').split('\n\n')
    const rest = blocks.pop() ?? ''
    this.#text = rest + this.#text.slice(whole.length)
    return blocks.map(readEvent).filter(({ data }) => data !== '')
  }
}

function readEvent(block: string): SplitEvent {
  const valuesOf = (field: string) =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).replace(/^ /, ''))
  return { event: valuesOf('event').at(-1) ?? null, data: valuesOf('data').join('\n') }
}
