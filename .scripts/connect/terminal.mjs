import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { Refusal } from './refusal.mjs'

const hasColours = Boolean(process.stdout.isTTY) && !process.env.NO_COLOR
const codes = { red: 31, green: 32, cyan: 36, bold: 1, dim: 2 }

export const coloured = (colour, text) =>
  hasColours ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text

/** A unified diff; its two lines of file names are ours to say. */
export function shownDiff(diff) {
  const lines = diff.split('\n')
  const first = lines.findIndex((line) => line.startsWith('@@'))
  const colourOf = { '+': 'green', '-': 'red', '@': 'cyan', '\\': 'dim' }
  return lines
    .slice(first)
    .filter((line, at, all) => line !== '' || at < all.length - 1)
    .map((line) =>
      colourOf[line[0]] ? coloured(colourOf[line[0]], line.replace(/\r$/, '')) : line,
    )
    .join('\n')
}

/** Rows of equal length, the first of them the head; the last column may be long. */
export function shownTable(rows) {
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => row[at].length)))
  return rows
    .map((row, at) => {
      const line = row.map((cell, column) => cell.padEnd(widths[column])).join('  ')
      return at === 0 ? coloured('bold', line.trimEnd()) : line.trimEnd()
    })
    .join('\n')
}

/** Nothing that is typed is shown. */
export function askHidden(question) {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_bytes, _encoding, done) => done() })
  const hidden = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  return new Promise((resolve) => {
    hidden.on('SIGINT', () => process.exit(130))
    hidden.on('close', () => resolve(''))
    hidden.question('', (line) => {
      process.stderr.write('\n')
      resolve(line)
      hidden.close()
    })
  })
}

let reader = null
let lines = null

/** `y` or `yes`; all else is no. Answers may be piped in, one a line. */
export async function confirm(question) {
  process.stdout.write(`${question} [y/N] `)
  reader ??= createInterface({ input: process.stdin })
  lines ??= reader[Symbol.asyncIterator]()
  const { value, done } = await lines.next()
  if (done) {
    process.stdout.write('\n')
    throw new Refusal('Nobody answered, so nothing was written. Where nobody can, add --yes.')
  }
  return /^y(?:es)?$/i.test(value.trim())
}

/** Or the process would wait for more. */
export const closeTerminal = () => reader?.close()
