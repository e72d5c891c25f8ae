import { randomText } from '../../base/ids.ts'
import { asObject } from './json-value.ts'
import { completedObjects } from './repair-json.ts'

/** Stands before a number's text while it travels through JSON.parse or JSON.stringify as a string. */
const MARK = `exact-number:${randomText(22)}:`
const marked = new RegExp(`"${MARK}([^"]*)"`, 'g')

/** The mark of a number that a double cannot hold: more than fifteen digits, or an exponent of three. */
const suspicious = /\d[.\d]{15}|\d[eE][-+]?\d{3}/
/** Characters of the shortest that has it: `1e400`. */
const SHORTEST = 5
const numbers = /[-+.\deE]*\d[-+.\deE]*/g
const INTEGER = /^-?\d+$/
const BACKSLASH = 92
const ZERO = 48

let wereMade = false
let isWriting = false

/** A JSON number that a double cannot hold, as its source text. */
export class ExactNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
    wereMade = true
  }

  /** The nearest double, for comparing. */
  valueOf(): number {
    return Number(this.text)
  }

  /** Plain JSON.stringify writes the nearest double; only `stringifyExact` the number itself. */
  toJSON(): string | number {
    return isWriting ? MARK + this.text : Number(this.text)
  }
}

/** A number's value in one spelling: sign, digits without zeros around them, power of ten. */
function decimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  // Without a pattern, which would look at a long row of zeros from each of them on.
  let end = digits.length
  while (digits.charCodeAt(end - 1) === ZERO) end--
  const kept = digits.slice(0, end)
  if (kept === '') return '0'
  return `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`
}

/**
 * Would a double change the number? Decimals may also have the 17 digits that some vendors print of every
 * double: they name the same double, and it is a measured value, no id.
 */
function isInexact(text: string): boolean {
  // Fifteen digits always fit; most of what is longer was printed from a double.
  if (text.length <= 15 && !/[eE]/.test(text)) return false
  const value = Number(text)
  if (String(value) === text) return false
  // An id is compared as text: it must not come out as 1e+21.
  if (INTEGER.test(text) && !Number.isSafeInteger(value)) return true
  const exact = decimal(text)
  if (!Number.isFinite(value)) return true
  if (exact === decimal(String(value))) return false
  return INTEGER.test(text) || exact !== decimal(value.toPrecision(17))
}

/** Index just behind the string that opens at `open`, in a text known to be JSON. */
function skipString(text: string, open: number): number {
  for (let from = open + 1; ; ) {
    const close = text.indexOf('"', from)
    let slash = close
    while (text.charCodeAt(slash - 1) === BACKSLASH) slash--
    if ((close - slash) % 2 === 0) return close + 1
    from = close + 1
  }
}

/**
 * The text with every inexact number made a marked string; undefined when it has none. A text is mostly
 * strings: to look between them alone is faster than to search all of it.
 */
function markNumbers(text: string): string | undefined {
  let out = ''
  let copied = 0
  for (let index = 0; index < text.length; ) {
    const quote = text.indexOf('"', index)
    const end = quote < 0 ? text.length : quote
    const between = end - index < SHORTEST ? '' : text.slice(index, end)
    if (between !== '' && suspicious.test(between)) {
      for (const { 0: number, index: offset } of between.matchAll(numbers)) {
        if (!isInexact(number)) continue
        const start = index + offset
        out += `${text.slice(copied, start)}"${MARK}${number}"`
        copied = start + number.length
      }
    }
    if (quote < 0) break
    index = skipString(text, quote)
  }
  return copied === 0 ? undefined : out + text.slice(copied)
}

/** Makes marked strings numbers again, in place and without recursion: tool inputs nest as deep as they like. */
function unmark(root: Record<string, unknown>): void {
  const open: object[] = [root]
  for (let node = open.pop(); node; node = open.pop()) {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === 'object' && value !== null) open.push(value)
      else if (typeof value === 'string' && value.startsWith(MARK)) {
        const number = new ExactNumber(value.slice(MARK.length))
        // Not by assignment, which means something else for a key `__proto__`.
        Object.defineProperty(node, key, { value: number })
      }
    }
  }
}

/**
 * JSON.parse, but a number that a double would change (an id beyond 2^53, a decimal with more digits than
 * fit) becomes an ExactNumber. Throws SyntaxError as JSON.parse does.
 */
export function parseExact(text: string): unknown {
  const value = JSON.parse(text) as unknown
  const markedText = markNumbers(text)
  if (markedText === undefined) return value
  const root = { value: JSON.parse(markedText) as unknown }
  unmark(root)
  return root.value
}

/** JSON.stringify without recursion, for values nested deeper than the stack. */
function writeDeep(root: unknown): string {
  const out: string[] = []
  const todo: { text?: string; value?: unknown }[] = [{ value: root }]
  for (let next = todo.pop(); next; next = todo.pop()) {
    const { text, value } = next
    if (text !== undefined) out.push(text)
    else if (typeof value !== 'object' || value === null || value instanceof ExactNumber) {
      out.push(JSON.stringify(value) ?? 'null')
    } else {
      const isArray = Array.isArray(value)
      const members = Object.entries(value).filter(([, member]) => isArray || member !== undefined)
      out.push(isArray ? '[' : '{')
      todo.push({ text: isArray ? ']' : '}' })
      for (const [index, [key, member]] of [...members.entries()].reverse()) {
        todo.push({ value: member })
        if (!isArray) todo.push({ text: `${JSON.stringify(key)}:` })
        if (index > 0) todo.push({ text: ',' })
      }
    }
  }
  return out.join('')
}

function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    if (error instanceof RangeError) return writeDeep(value)
    throw error
  }
}

/**
 * JSON.stringify, but an ExactNumber is written as it was read, and no depth is too much. Undefined is
 * written as null.
 */
export function stringifyExact(value: unknown): string {
  if (!wereMade) return writeJson(value)
  isWriting = true
  let text: string
  try {
    text = writeJson(value)
  } finally {
    isWriting = false
  }
  return text.includes(MARK) ? text.replace(marked, '$1') : text
}

/** The value of the first text that is JSON; undefined when none is. */
function firstThatParses(texts: readonly string[]): unknown {
  for (const text of texts) {
    try {
      return parseExact(text)
    } catch {
      // It's broken before its end.
    }
  }
  return undefined
}

/**
 * A call's arguments as an object. Nothing, white space and `null` are an object without members. What is
 * no object is kept as `{"_raw": text}`; only when the answer was cut is its missing end supplied first.
 */
export function readArguments(
  text: string,
  wasCut = false,
): { value: Record<string, unknown>; isRaw: boolean } {
  if (text.trim() === '') return { value: {}, isRaw: false }
  let value: unknown
  try {
    value = parseExact(text)
    if (value === null) return { value: {}, isRaw: false }
  } catch {
    if (wasCut) value = firstThatParses(completedObjects(text))
  }
  const object = value instanceof ExactNumber ? undefined : asObject(value)
  return object ? { value: object, isRaw: false } : { value: { _raw: text }, isRaw: true }
}
