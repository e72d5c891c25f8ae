import type { Json, KeyPath } from '../tool.ts'
import { NotEditable } from './not-editable.ts'
import type { TextFormat } from './text-format.ts'
import { cutOut, replaced, textStyle } from './text-style.ts'

/** As the package dotenv reads them: https://github.com/motdotla/dotenv/blob/master/lib/main.js */
const ASSIGNMENT =
  /^[^\S\r\n]*(?:export[^\S\r\n]+)?([\w.-]+)(?:[^\S\r\n]*=[^\S\r\n]*?|:[^\S\r\n]+?)([^\S\r\n]*'(?:\\'|[^'])*'|[^\S\r\n]*"(?:\\"|[^"])*"|[^\S\r\n]*`(?:\\`|[^`])*`|[^#\r\n]+)?[^\S\r\n]*(?:#.*)?$/gm

interface Assignment {
  name: string
  value: string
  /** Offsets of the whole assignment and of its value's text. */
  start: number
  end: number
  valueStart: number
  valueEnd: number
}

function unquoted(written: string): string {
  const text = written.trim()
  const quote = /^(['"`])([\s\S]*)\1$/.exec(text)
  if (!quote) return text
  const inner = quote[2] as string
  return quote[1] === '"' ? inner.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : inner
}

function assignments(text: string): Assignment[] {
  return [...text.matchAll(ASSIGNMENT)].map((match) => {
    const [whole, name = '', written = ''] = match
    const lead =
      /^[^\S\r\n]*(?:export[^\S\r\n]+)?[\w.-]+[^\S\r\n]*[=:][^\S\r\n]*/.exec(whole)?.[0] ?? ''
    const valueStart = match.index + lead.length
    return {
      name,
      value: unquoted(written),
      start: match.index,
      end: match.index + whole.length,
      valueStart,
      valueEnd: valueStart + written.trim().length,
    }
  })
}

function quoted(value: string): string {
  // Without quotes, the comment behind it would have no space before it.
  if (value === '') return '""'
  if (/^[\w./:@%+,-]*$/.test(value)) return value
  for (const quote of ["'", '"', '`']) {
    if (!value.includes(quote) && !(quote === '"' && value.includes('\\')))
      return quote + value + quote
  }
  throw new NotEditable('A value with every kind of quote has no form in a .env file.')
}

function set(text: string, path: KeyPath, value: Json | undefined): string {
  const [name] = path
  if (typeof name !== 'string' || path.length > 1)
    throw new NotEditable('A .env file has only variables.')
  const found = assignments(text).filter((one) => one.name === name)
  if (value === undefined) {
    return found.reduceRight((left, { start, end, valueEnd }) => {
      // A comment behind it stays on its line.
      const comment = left.slice(valueEnd, end).search(/\S/)
      return cutOut(left, start, comment < 0 ? end : valueEnd + comment)
    }, text)
  }
  const written = quoted(String(value))
  // The last one counts.
  const last = found.at(-1)
  if (last) return replaced(text, last.valueStart, last.valueEnd, written)
  const { lineEnd } = textStyle(text)
  const isEnded = text === '' || /[\r\n]$/.test(text)
  return isEnded ? `${text}${name}=${written}${lineEnd}` : `${text}${lineEnd}${name}=${written}`
}

export const dotenvFormat: TextFormat = {
  parse: (text) => Object.fromEntries(assignments(text).map(({ name, value }) => [name, value])),
  set,
}
