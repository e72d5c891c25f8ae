/** `value; name=text; name="text"`: a header line with its parameters, names in small letters. */
export interface ParameterHeader {
  /** In small letters. */
  value: string
  parameters: ReadonlyMap<string, string>
  /** Parameters of which readers may take one value or another: they stand there twice, or as `name` and `name*`. */
  unclear: ReadonlySet<string>
}

// Each character can match in one way only: a hostile header costs no more than its length.
const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\[\s\S])*)"|([^;]*))/g

const utf8 = (latin: string) => Buffer.from(latin, 'latin1').toString('utf8')

/** `utf-8''na%C3%AFve.wav` (RFC 8187); undefined where it is none. */
function extended(text: string): string | undefined {
  const found = /^([\w.:-]+)'[^']*'(.*)$/.exec(text)
  if (!found) return undefined
  const bytes = (found[2] ?? '').replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  try {
    return new TextDecoder(found[1]).decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return undefined
  }
}

/**
 * Reads a header whose bytes stand one in a character, as Node gives them; a text of its parameters is
 * read as UTF-8, which is what clients send in forms (RFC 7578 §5.1). `name*` wins over `name`. A backslash
 * that escapes neither quote nor backslash stays, since some clients send paths.
 */
export function readParameterHeader(line: string): ParameterHeader {
  const semicolon = line.indexOf(';')
  const value = (semicolon < 0 ? line : line.slice(0, semicolon)).trim().toLowerCase()
  const parameters = new Map<string, string>()
  const longer = new Map<string, string>()
  const unclear = new Set<string>()
  for (const [, name = '', quoted, plain] of line.matchAll(PARAMETER)) {
    const key = name.toLowerCase()
    const text = quoted?.replace(/\\(["\\])/g, '$1') ?? (plain ?? '').trim()
    if (key.endsWith('*')) {
      const decoded = extended(text)
      if (decoded !== undefined) longer.set(key.slice(0, -1), decoded)
    } else if (parameters.has(key)) unclear.add(key)
    else parameters.set(key, utf8(text))
  }
  for (const [key, text] of longer) {
    if (parameters.has(key) && parameters.get(key) !== text) unclear.add(key)
    parameters.set(key, text)
  }
  return { value, parameters, unclear }
}

/** A text as it stands between quotes in a part's head, one byte a character, as browsers write it. */
export function quotable(text: string): string {
  const escaped = text.replace(/[\r\n"]/g, (one) => encodeURIComponent(one))
  return Buffer.from(escaped, 'utf8').toString('latin1')
}
