const NEWLINE = 0x0a
const LETTER_N = 0x6e
const QUOTE = 0x22

/** JSON of a `data:` line; undefined for any other line and for data that is not JSON. */
export function dataOf(line: string): unknown {
  if (!line.startsWith('data:')) return undefined
  try {
    return JSON.parse(line.slice(5))
  } catch {
    return undefined
  }
}

/** Is this, the last of a body and without a line end, data that breaks off? */
export function isHalfData(line: string): boolean {
  if (!line.startsWith('data:')) return 'data:'.startsWith(line)
  return line.slice(5).trim() !== '[DONE]' && dataOf(line) === undefined
}

/** Is the value behind the key whose closing quote is at `end - 1` null? */
export function isNullAt(text: string, end: number): boolean {
  let index = end
  while (text[index] === ' ' || text[index] === ':') index++
  return text.charCodeAt(index) === LETTER_N
}

/**
 * Index of a quoted key, or -1. Its first quote is looked for last: JSON is full of them, and a search for what
 * begins with one takes several times as long.
 */
function keyIn(text: string, key: string, from: number): number {
  const rest = key.slice(1)
  let at = text.indexOf(rest, from + 1)
  while (at >= 0 && text.charCodeAt(at - 1) !== QUOTE) at = text.indexOf(rest, at + rest.length)
  return at < 0 ? -1 : at - 1
}

/** The line around an index, without its line end. */
export function lineAt(lines: Buffer, at: number): string {
  const start = at === 0 ? 0 : lines.lastIndexOf(NEWLINE, at - 1) + 1
  const end = lines.indexOf(NEWLINE, at)
  return lines.toString('utf8', start, end < 0 ? lines.length : end).trim()
}

/** Index of the end of the line that an index is in. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/**
 * Lines in which a quoted key has a value that isn't null, each once however often it holds the key: who takes one
 * parses it. `text`: the lines as Latin-1, as far as they count.
 */
export function* linesWith(key: string, lines: Buffer, text: string): Generator<string> {
  for (let at = keyIn(text, key, 0), next = 0; at >= 0; at = keyIn(text, key, next)) {
    next = at + key.length
    if (isNullAt(text, next)) continue
    yield lineAt(lines, at)
    next = lineEnd(text, at)
  }
}

/** The lines of a text, each with its line end. */
export function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at) + 1
    yield text.slice(at, end || text.length)
    at = end || text.length
  }
}
