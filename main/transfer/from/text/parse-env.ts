import { wrongText } from './wrong-text.ts'

const MOST_CHARACTERS = 1_000_000
const MOST_LINES = 10_000
const ENTRY = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*)$/

/** A value without its quotes, or without the comment behind it. */
function unquoted(text: string, line: number): string {
  const [quote] = text
  if (quote !== '"' && quote !== "'" && quote !== '`') return text.replace(/\s+#.*$/, '').trim()
  const end = text.indexOf(quote, 1)
  if (end < 0)
    throw wrongText(`Line ${line} has a quote that doesn’t end.`, { code: 'line_quote_open', line })
  return text.slice(1, end)
}

/**
 * The variables of a `.env` file. `$NAME` and `${NAME}` stand for variables further up in the same file,
 * never for ours; nothing is run. Throws `invalid_params` with the line.
 */
export function parseEnv(text: string): Map<string, string> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  if (text.length > MOST_CHARACTERS || lines.length > MOST_LINES) {
    throw wrongText(`The file is longer than ${MOST_LINES} lines or 1 MB.`, {
      code: 'file_many_lines',
      most: MOST_LINES,
    })
  }
  const variables = new Map<string, string>()
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue
    const entry = ENTRY.exec(line)
    if (!entry)
      throw wrongText(`Line ${index + 1} isn’t NAME=value.`, {
        code: 'line_no_pair',
        line: index + 1,
      })
    const [, name = '', written = ''] = entry
    const value = unquoted(written, index + 1)
    const reference = /^\$(?:\{(\w+)\}|(\w+))$/.exec(value)
    const isQuoted = written.startsWith("'")
    const from = reference && !isQuoted ? (reference[1] ?? reference[2] ?? '') : null
    variables.set(name, from === null ? value : (variables.get(from) ?? ''))
  }
  return variables
}
