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
  /** Without its line ends as they came. */
  #text = ''
  /** A line end that is cut in two must not count as two. */
  #half = ''

  push(bytes: Buffer): SplitEvent[] {
    return this.#take(this.#decoder.decode(bytes, { stream: true }))
  }

  /** The body has ended: a last event without its blank line counts. */
  end(): SplitEvent[] {
    return this.#take(`${this.#decoder.decode()}\n\n`)
  }

  #take(added: string): SplitEvent[] {
    const text = this.#half + added
    this.#half = text.endsWith('\r') ? '\r' : ''
    const lines = text.slice(0, text.length - this.#half.length).replaceAll(/\r\n?/g, '\n')
    this.#text += lines
    if (!lines.includes('\n')) return []
    const blocks = this.#text.split('\n\n')
    this.#text = blocks.pop() ?? ''
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
