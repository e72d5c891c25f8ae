import {
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { Json, KeyPath, Step } from '../tool.ts'
import { BrokenFile } from './broken-file.ts'
import { isObject, matchesEntry, shownPath, wrapped } from './key-path.ts'
import { NotEditable } from './not-editable.ts'
import type { TextFormat } from './text-format.ts'
import { afterBreak, indentAt, lineEndAt, lineStart, replaced, textStyle } from './text-style.ts'

type Collection = YAMLMap | YAMLSeq
interface Ranged {
  range?: [number, number, number] | null
}

function documentOf(text: string) {
  const document = parseDocument(text, { strict: true, uniqueKeys: true })
  const [first] = document.errors
  if (!first) return document
  if (first.code === 'MULTIPLE_DOCS') throw new NotEditable('The file has several YAML documents.')
  const reason = (first.message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '')
  throw BrokenFile.at(text, first.pos[0], reason)
}

function rangeOf(node: unknown): [number, number] {
  const range = (node as Ranged | null)?.range
  if (!range) throw new NotEditable('A part of the file has no place of its own.')
  return [range[0], range[1]]
}

const keyText = (pair: Pair) => String(isScalar(pair.key) ? pair.key.value : pair.key)

/** The pair of a map or the item of a list. */
function childAt(node: unknown, step: Step, path: KeyPath): Pair | unknown | undefined {
  if (typeof step === 'string') {
    if (!isMap(node)) throw new NotEditable(`${shownPath(path)}: not inside of a map`)
    return node.items.find((pair) => keyText(pair) === step)
  }
  if (!isSeq(node)) throw new NotEditable(`${shownPath(path)}: not inside of a list`)
  return node.items.find((item) =>
    matchesEntry((item as { toJSON?(): Json }).toJSON?.(), step.entry),
  )
}

/** Lines of a value in block form, with the indentation in front of all but the first. */
function block(value: Json, indent: string, lineEnd: string): string {
  const made = stringify(value, { lineWidth: 0, indent: 2 }).trimEnd()
  return made.replaceAll('\n', lineEnd + indent)
}

/** Offset after all of a node, of which the range may end at the beginning of the next line. */
function endOfContent(text: string, end: number): number {
  let at = end
  while (at > 0 && /\s/.test(text[at - 1] as string)) at -= 1
  return at
}

const isFlow = (node: Collection) => node.flow === true

/** Where a pair or item of a list begins (with its dash) and ends. */
function spanOf(text: string, child: Pair | unknown, isPair: boolean): [number, number] {
  if (!isPair) {
    const [start, end] = rangeOf(child)
    return [start, endOfContent(text, end)]
  }
  const { key, value } = child as Pair
  const [start, keyEnd] = rangeOf(key)
  const end = value === null ? keyEnd : Math.max(rangeOf(value)[1], keyEnd)
  return [start, Math.max(endOfContent(text, end), keyEnd)]
}

function appendBlock(text: string, node: Collection, key: string | undefined, value: Json): string {
  const { lineEnd } = textStyle(text)
  const last = node.items.at(-1)
  const start = key === undefined ? rangeOf(node)[0] : rangeOf((node.items[0] as Pair).key)[0]
  const indent = ' '.repeat(start - lineStart(text, start))
  const [, end] = spanOf(text, last, key !== undefined)
  const made = block(key === undefined ? [value] : { [key]: value }, indent, lineEnd)
  const at = lineEndAt(text, end)
  return replaced(text, at, at, lineEnd + indent + made)
}

function append(text: string, node: Collection, key: string | undefined, value: Json): string {
  if (!isFlow(node)) return appendBlock(text, node, key, value)
  const made =
    key === undefined ? JSON.stringify(value) : `${JSON.stringify(key)}: ${JSON.stringify(value)}`
  const last = node.items.at(-1)
  if (last) {
    const [, end] = spanOf(text, last, key !== undefined)
    return replaced(text, end, end, `, ${made}`)
  }
  const close = rangeOf(node)[1] - 1
  return replaced(text, close, close, made)
}

function remove(text: string, node: Collection, child: Pair | unknown): string {
  const [start, end] = spanOf(text, child, isMap(node))
  const index = (node.items as unknown[]).indexOf(child)
  if (isFlow(node)) {
    const before = index > 0 ? text.lastIndexOf(',', start) : start
    const after = index > 0 ? end : (/^\s*,?\s*/.exec(text.slice(end))?.[0].length ?? 0) + end
    return replaced(text, before, after, '')
  }
  if (
    node.items.length === 1 &&
    !(isMap(node) && indentAt(text, start) === '' && lineStart(text, start) === start)
  ) {
    // A map or list with nothing in it needs its brackets.
    return replaced(
      text,
      rangeOf(node)[0],
      endOfContent(text, rangeOf(node)[1]),
      isMap(node) ? '{}' : '[]',
    )
  }
  const from = lineStart(text, start)
  if (
    !/^[ \t]*(?:- *)?$/.test(text.slice(from, start)) ||
    (isMap(node) && text.slice(from, start).includes('-'))
  ) {
    throw new NotEditable('A key that shares its line with a list item is not removed.')
  }
  return replaced(text, from, afterBreak(text, lineEndAt(text, end)), '')
}

/** Replaces a value; one over several lines is written anew with its key. */
function replace(
  text: string,
  node: Collection,
  child: Pair | unknown,
  key: string | undefined,
  value: Json,
): string {
  const { lineEnd } = textStyle(text)
  const current = key === undefined ? child : (child as Pair).value
  const isInFlow = isFlow(node)
  if (isScalar(current) && !isObject(value) && !Array.isArray(value)) {
    const [start, end] = rangeOf(current)
    if (!/[\r\n]/.test(text.slice(start, end)) && end > start) {
      const made = isInFlow ? JSON.stringify(value) : block(value, '', lineEnd)
      return replaced(text, start, end, made.includes('\n') ? JSON.stringify(value) : made)
    }
  }
  const [start, end] = spanOf(text, child, key !== undefined)
  if (isInFlow) {
    const made = JSON.stringify(value)
    return replaced(text, start, end, key === undefined ? made : `${JSON.stringify(key)}: ${made}`)
  }
  const indent = ' '.repeat(start - lineStart(text, start))
  return replaced(
    text,
    start,
    end,
    block(key === undefined ? value : { [key]: value }, indent, lineEnd),
  )
}

function set(text: string, path: KeyPath, value: Json | undefined): string {
  const document = documentOf(text)
  const { lineEnd } = textStyle(text)
  let node: unknown = document.contents
  if (node === null || (isScalar(node) && node.value === null)) {
    if (value === undefined) return text
    const gap = text === '' || /[\r\n]$/.test(text) ? '' : lineEnd
    return text + gap + block(wrapped(path, value), '', lineEnd) + lineEnd
  }
  for (const [at, step] of path.entries()) {
    const child = childAt(node, step, path)
    const parent = node as Collection
    const rest = path.slice(at + 1)
    const key = typeof step === 'string' ? step : undefined
    if (child === undefined) {
      if (value === undefined) return text
      const made = wrapped(path.slice(at), value)
      return append(
        text,
        parent,
        key,
        Array.isArray(made)
          ? (made[0] as Json)
          : ((made as Record<string, Json>)[key as string] as Json),
      )
    }
    const inner = key === undefined ? child : (child as Pair).value
    const isEmpty = inner === null || (isScalar(inner) && inner.value === null)
    if (rest.length === 0 || (isEmpty && value !== undefined)) {
      if (value === undefined) return remove(text, parent, child)
      const whole = wrapped(rest, value)
      const given =
        key === undefined && typeof step !== 'string' && isObject(whole)
          ? { ...step.entry, ...whole }
          : whole
      return replace(text, parent, child, key, given)
    }
    node = inner
  }
  return text
}

export const yamlFormat: TextFormat = {
  parse: (text) => (documentOf(text).toJS() as Json) ?? {},
  set,
}
