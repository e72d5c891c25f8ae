import type { Row } from '../database-importer.ts'
import { wrongText } from '../text/wrong-text.ts'

type Value = string | number | null

const MOST_ROWS = 20_000

/** Reads SQL text a token at a time; nothing of it is ever run. */
class Scanner {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    this.#skipBlanks()
    return this.#at >= this.#text.length
  }

  /** Takes what the pattern (sticky) finds here, or null. */
  take(pattern: RegExp): RegExpExecArray | null {
    this.#skipBlanks()
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found) this.#at = pattern.lastIndex
    return found
  }

  expect(pattern: RegExp, wanted: string): RegExpExecArray {
    const found = this.take(pattern)
    if (!found) throw this.wrong(wanted)
    return found
  }

  wrong(wanted: string): Error {
    const line = this.#text.slice(0, this.#at).split('\n').length
    return wrongText(`Line ${line} of the SQL text isn’t as expected: ${wanted} is missing.`, {
      code: 'sql_unexpected',
      line,
    })
  }

  /** Behind the next `;` that is in no quotes. */
  skipStatement(): void {
    const stop = /['";]|--/g
    for (;;) {
      stop.lastIndex = this.#at
      const found = stop.exec(this.#text)
      if (!found) {
        this.#at = this.#text.length
        return
      }
      this.#at = stop.lastIndex
      if (found[0] === ';') return
      const end = found[0] === '--' ? '\n' : found[0]
      const close = this.#text.indexOf(end, this.#at)
      this.#at = close < 0 ? this.#text.length : close + 1
    }
  }

  /** The rest of a text behind its opening quote. */
  quoted(): string {
    const pieces: string[] = []
    for (;;) {
      const close = this.#text.indexOf("'", this.#at)
      if (close < 0) throw this.wrong('the end of a quoted text')
      pieces.push(this.#text.slice(this.#at, close))
      this.#at = close + 1
      if (this.#text[this.#at] !== "'") return pieces.join("'")
      this.#at++
    }
  }

  #skipBlanks(): void {
    const blanks = /(?:\s|--[^\n]*(?:\n|$))*/y
    blanks.lastIndex = this.#at
    blanks.exec(this.#text)
    this.#at = blanks.lastIndex
  }
}

const INSERT = /INSERT\s+INTO\s+"?(\w+)"?/iy
const TRIGGER = /CREATE\s+(?:TEMP\s+)?TRIGGER\b/iy

function readValue(scanner: Scanner): Value {
  if (scanner.take(/'/y)) return scanner.quoted()
  if (scanner.take(/NULL\b/iy)) return null
  const number = scanner.take(/[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?/iy)
  if (number) return Number(number[0])
  const cast = scanner.take(/CAST\s*\(\s*X'([\da-f]*)'\s+AS\s+TEXT\s*\)/iy)
  const bytes = cast ?? scanner.take(/X'([\da-f]*)'/iy)
  if (bytes) return Buffer.from(bytes[1] ?? '', 'hex').toString('utf8')
  throw scanner.wrong('a value')
}

function readList<Item>(scanner: Scanner, item: () => Item): Item[] {
  scanner.expect(/\(/y, '“(”')
  const items = [item()]
  while (scanner.take(/,/y)) items.push(item())
  scanner.expect(/\)/y, '“)”')
  return items
}

function readRows(scanner: Scanner): Row[] {
  const columns = readList(scanner, () => scanner.expect(/"?(\w+)"?/y, 'a column')[1] ?? '')
  scanner.expect(/VALUES\b/iy, 'VALUES')
  const rows: Row[] = []
  do {
    const values = readList(scanner, () => readValue(scanner))
    if (values.length !== columns.length) throw scanner.wrong('a value for each column')
    rows.push(new Map(columns.map((column, index) => [column, values[index] ?? null])))
  } while (scanner.take(/,/y))
  scanner.expect(/;/y, '“;”')
  return rows
}

/** The rows that a dump inserts into the named tables. Throws `invalid_params` with the line. */
export function readInserts(text: string, tables: readonly string[]): Map<string, Row[]> {
  const rows = new Map<string, Row[]>(tables.map((table) => [table, []]))
  const scanner = new Scanner(text)
  let count = 0
  while (!scanner.isAtEnd) {
    // Triggers hold statements of their own, and stand behind all rows.
    if (scanner.take(TRIGGER)) break
    const table = rows.get(scanner.take(INSERT)?.[1] ?? '')
    if (!table) {
      scanner.skipStatement()
      continue
    }
    for (const row of readRows(scanner)) {
      if (++count > MOST_ROWS)
        throw wrongText(`The file has more than ${MOST_ROWS} rows.`, {
          code: 'file_many_rows',
          most: MOST_ROWS,
        })
      table.push(row)
    }
  }
  return rows
}
