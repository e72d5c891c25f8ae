export interface EventStreamReader {
  /** Chunks may be cut anywhere. */
  push(bytes: Uint8Array): void
  /** Emits a last event that lacks its blank line. */
  end(): void
}

/**
 * Emits the `data` of each server-sent event, its lines joined with a line feed. Skips comments, other
 * fields and empty events. A chunk may cut a character.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export function createEventStreamReader(onData: (data: string) => void): EventStreamReader {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []

  const readLine = (line: string) => {
    if (line === '') {
      if (data.length > 0) onData(data.join('\n'))
      data = []
      return
    }
    if (!line.startsWith('data:') && line !== 'data') return
    const value = line.slice(5)
    data.push(value.startsWith(' ') ? value.slice(1) : value)
  }

  const readText = (text: string, last: boolean) => {
    rest += text
    // A trailing carriage return may be the first half of CRLF.
    const safeEnd = !last && rest.endsWith('\r') ? rest.length - 1 : rest.length
    const lines = rest.slice(0, safeEnd).split(/\r\n|\r|\n/)
    const open = lines.pop() ?? ''
    rest = open + rest.slice(safeEnd)
    for (const line of lines) readLine(line)
  }

  return {
    push: (bytes) => readText(decoder.decode(bytes, { stream: true }), false),
    end() {
      readText(decoder.decode(), true)
      if (rest !== '') readLine(rest)
      rest = ''
      readLine('')
    },
  }
}
