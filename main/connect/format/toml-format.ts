import { parse, stringify, TomlError } from 'smol-toml'
import type { Json, KeyPath } from '../tool.ts'
import { BrokenFile } from './broken-file.ts'
import { isObject, shownPath } from './key-path.ts'
import { NotEditable } from './not-editable.ts'
import type { TextFormat } from './text-format.ts'
import { afterBreak, cutOut, lineEndAt, lineStart, replaced, textStyle } from './text-style.ts'
import { type TomlStatement, tomlStatements } from './toml-statements.ts'

/** Dates and big integers have no form in JSON; they are only compared. */
const plain = (value: unknown): Json => {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'bigint') return `${value}`
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
  }
  return value as Json
}

function read(text: string): Json {
  try {
    return plain(parse(text, { integersAsBigInt: 'asNeeded' }))
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause
    const [reason = ''] = cause.message.replace(/^Invalid TOML document: /, '').split('\n')
    throw new BrokenFile(reason, cause.line, cause.column)
  }
}

const startsWith = (path: readonly string[], start: readonly string[]) =>
  start.every((key, at) => path[at] === key)

const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && startsWith(a, b)

const written = (key: string) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key))

/** `key = value`, without a line end. */
const pairText = (key: string, value: Json) => stringify({ [key]: value }).trimEnd()

const valueText = (value: Json) => pairText('k', value).replace(/^k = /, '')

/** A table with its sub-tables, each line ended. */
function tableText(path: readonly string[], value: Record<string, Json>, lineEnd: string): string {
  const entries = Object.entries(value)
  const own = entries.filter(([, inner]) => !isObject(inner))
  const lines = [
    `[${path.map(written).join('.')}]`,
    ...own.map(([key, inner]) => pairText(key, inner)),
  ]
  const tables = entries.flatMap(([key, inner]) =>
    isObject(inner) ? [`\n${tableText([...path, key], inner, '\n')}`] : [],
  )
  return `${lines.join('\n')}\n${tables.join('')}`.replaceAll('\n', lineEnd)
}

function appendTable(text: string, path: readonly string[], value: Record<string, Json>): string {
  const { lineEnd } = textStyle(text)
  const made = tableText(path, value, lineEnd)
  if (text.trim() === '') return text + made
  const isEnded = /[\r\n]$/.test(text)
  const gap = isEnded ? lineEnd : lineEnd + lineEnd
  return text + gap + (isEnded ? made : made.slice(0, -lineEnd.length))
}

/** Sections of the table and of those in it: from the header to the last pair's line. */
function removeTables(text: string, path: readonly string[]): string {
  const all = tomlStatements(text)
  let left = text
  for (const [at, statement] of [...all.entries()].reverse()) {
    if (statement.kind === 'pair' || !startsWith(statement.path, path)) continue
    const next = all.findIndex((one, index) => index > at && one.kind !== 'pair')
    const last = all[(next < 0 ? all.length : next) - 1] as TomlStatement
    const start = lineStart(left, statement.start)
    const end = afterBreak(left, lineEndAt(left, last.end))
    // The empty line in front of it goes too.
    const gap = /(?:^|\n|\r)([ \t]*(?:\r\n|\n))$/.exec(left.slice(0, start))?.[1]?.length ?? 0
    left = replaced(left, start - gap, end, '')
  }
  return left
}

function insertPair(text: string, path: readonly string[], value: Json): string {
  const { lineEnd } = textStyle(text)
  const table = path.slice(0, -1)
  const pair = pairText(path.at(-1) as string, value)
  const all = tomlStatements(text)
  const header = all.findIndex((one) => one.kind === 'table' && isSame(one.path, table))
  if (table.length > 0 && header < 0)
    return appendTable(text, table, { [path.at(-1) as string]: value })
  const next = all.findIndex((one, at) => at > header && one.kind !== 'pair')
  const last = all[(next < 0 ? all.length : next) - 1]
  if (!last) return pair + lineEnd + (text === '' ? '' : lineEnd) + text
  const at = lineEndAt(text, last.end)
  return replaced(text, at, at, lineEnd + pair)
}

function set(text: string, keyPath: KeyPath, value: Json | undefined): string {
  if (keyPath.some((step) => typeof step !== 'string') || keyPath.length === 0) {
    throw new NotEditable(`${shownPath(keyPath)}: lists of tables are not edited`)
  }
  const path = keyPath as string[]
  const all = tomlStatements(text)
  const pair = all.find((one) => one.kind === 'pair' && isSame(one.path, path))
  if (pair && !isObject(value)) {
    if (value === undefined) return cutOut(text, pair.start, pair.end)
    return replaced(text, pair.valueStart, pair.end, valueText(value))
  }
  const without = removeTables(text, path)
  if (value === undefined) return without
  return isObject(value) ? appendTable(without, path, value) : insertPair(without, path, value)
}

export const tomlFormat: TextFormat = { parse: read, set }
