/** A table's header or a pair of a TOML text, with its offsets. */
export interface TomlStatement {
  kind: 'table' | 'list-table' | 'pair'
  /** For a pair: with its table's path in front. */
  path: string[]
  start: number
  end: number
  /** For a pair. */
  valueStart: number
}

const STRING =
  /"""[\s\S]*?(?<!\\)(?:\\\\)*"{3,5}|'''[\s\S]*?'{3,5}|"(?:\\.|[^"\\\r\n])*"|'[^'\r\n]*'/y
const BARE = /[\w-]+/y

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

const spacesAt = (text: string, at: number) => {
  let end = at
  while (text[end] === ' ' || text[end] === '\t') end += 1
  return end
}

/** A key with dots, and the offset after it. */
function readKey(text: string, from: number): { path: string[]; end: number } {
  const path: string[] = []
  let at = from
  for (;;) {
    at = spacesAt(text, at)
    const string = matchAt(STRING, text, at)
    const part = string ?? matchAt(BARE, text, at) ?? ''
    path.push(string ? unquotedKey(string) : part)
    at += part.length
    const next = spacesAt(text, at)
    if (text[next] !== '.' || part === '') return { path, end: at }
    at = next + 1
  }
}

function unquotedKey(written: string): string {
  if (written.startsWith("'")) return written.slice(1, -1)
  try {
    return JSON.parse(written) as string
  } catch {
    // An escape of TOML that JSON has not: such a key is none of ours.
    return written
  }
}

/** Offset after a value: strings, lists over several lines and inline tables are passed whole. */
function endOfValue(text: string, from: number): number {
  let depth = 0
  let at = from
  let end = from
  while (at < text.length) {
    const string = matchAt(STRING, text, at)
    const char = text[at] as string
    if (string) {
      at += string.length
      end = at
      continue
    }
    if (char === '#') {
      if (depth === 0) return end
      while (at < text.length && text[at] !== '\n') at += 1
      continue
    }
    if ((char === '\n' || char === '\r') && depth === 0) return end
    if (char === '[' || char === '{') depth += 1
    if (char === ']' || char === '}') depth -= 1
    at += 1
    if (!/\s/.test(char)) end = at
  }
  return end
}

/** Statements of a valid TOML text, in order. */
export function tomlStatements(text: string): TomlStatement[] {
  const found: TomlStatement[] = []
  let table: string[] = []
  let at = 0
  while (at < text.length) {
    const char = text[at] as string
    if (/\s/.test(char)) {
      at += 1
    } else if (char === '#') {
      while (at < text.length && text[at] !== '\n') at += 1
    } else if (char === '[') {
      const brackets = text[at + 1] === '[' ? 2 : 1
      const key = readKey(text, at + brackets)
      const end = spacesAt(text, key.end) + brackets
      table = key.path
      const kind = brackets === 2 ? 'list-table' : 'table'
      found.push({ kind, path: table, start: at, end, valueStart: end })
      at = end
    } else {
      const key = readKey(text, at)
      const valueStart = spacesAt(text, spacesAt(text, key.end) + 1)
      const end = Math.max(endOfValue(text, valueStart), at + 1)
      found.push({ kind: 'pair', path: [...table, ...key.path], start: at, end, valueStart })
      at = end
    }
  }
  return found
}
