import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { Json, KeyPath, Step } from '../tool.ts'
import { BrokenFile } from './broken-file.ts'
import { isObject, matchesEntry, shownPath, wrapped } from './key-path.ts'
import { NotEditable } from './not-editable.ts'
import type { TextFormat } from './text-format.ts'
import {
  cutOut,
  indentAt,
  lineEndAt,
  lineStart,
  replaced,
  type TextStyle,
  textStyle,
} from './text-style.ts'

/** `PropertyNameExpected` to `property name expected`. */
const inWords = (code: string) => code.replace(/(?!^)[A-Z]/g, (c) => ` ${c}`).toLowerCase()

function treeOf(text: string, isStrict: boolean): Node | undefined {
  const isBlank = isStrict ? text.trim() === '' : skipTrivia(text, 0) === text.length
  if (isBlank) return undefined
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, {
    disallowComments: isStrict,
    allowTrailingComma: !isStrict,
  })
  const [first] = errors
  if (first) throw BrokenFile.at(text, first.offset, inWords(printParseErrorCode(first.error)))
  return tree
}

function plainValue(node: Node): Json {
  const children = node.children ?? []
  if (node.type === 'array') return children.map(plainValue)
  if (node.type !== 'object') return node.value as Json
  return Object.fromEntries(
    children.map(({ children: [key, value] = [] }) => [
      String(key?.value),
      plainValue(value as Node),
    ]),
  )
}

/** End of white space and comments from `from`; on the same line only, if wanted so. */
function skipTrivia(text: string, from: number, onLine = false): number {
  const pattern = onLine
    ? /(?:[ \t]|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y
    : /(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y
  pattern.lastIndex = from
  return from + (pattern.exec(text)?.[0].length ?? 0)
}

const endOf = (node: Node) => node.offset + node.length

/** The node of a step in an object or list. */
function childAt(node: Node, step: Step, path: KeyPath): Node | undefined {
  const children = node.children ?? []
  if (typeof step === 'string') {
    if (node.type !== 'object') throw new NotEditable(`${shownPath(path)}: not inside of an object`)
    const found = children.filter((child) => child.children?.[0]?.value === step)
    if (found.length > 1) throw new NotEditable(`The key "${step}" stands there twice.`)
    return found[0]
  }
  if (node.type !== 'array') throw new NotEditable(`${shownPath(path)}: not inside of a list`)
  return children.find((child) => matchesEntry(plainValue(child), step.entry))
}

function render(value: Json, style: TextStyle, indent: string, isOneLine: boolean): string {
  if (isOneLine) return JSON.stringify(value)
  return JSON.stringify(value, null, style.unit).replaceAll('\n', style.lineEnd + indent)
}

/** Adds a member to an object or an item to a list, after its last one. */
function append(text: string, node: Node, key: string | undefined, value: Json): string {
  const style = textStyle(text)
  const children = node.children ?? []
  const close = endOf(node) - 1
  const outer = indentAt(text, node.offset)
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `
  const last = children.at(-1)
  if (!last) {
    const indent = outer + style.unit
    const kept = text.slice(node.offset + 1, close).trimEnd()
    const isInLine = node.parent !== undefined && kept === '' && !/[\r\n]/.test(text.trim())
    if (isInLine)
      return replaced(text, node.offset + 1, close, name + render(value, style, '', true))
    const made = kept + style.lineEnd + indent + name + render(value, style, indent, false)
    return replaced(text, node.offset + 1, close, made + style.lineEnd + outer)
  }
  const end = endOf(last)
  const comma = skipTrivia(text, end)
  const hasComma = text[comma] === ','
  const after = hasComma ? comma + 1 : end
  const isOneLine = !/[\r\n]/.test(text.slice(node.offset, close))
  if (isOneLine) {
    const made = ` ${name}${render(value, style, '', true)}`
    return replaced(text, after, after, hasComma ? `${made},` : `,${made}`)
  }
  const first = children[0] as Node
  const isOnOwnLine = /^\s*$/.test(text.slice(lineStart(text, first.offset), first.offset))
  const indent = isOnOwnLine ? indentAt(text, first.offset) : outer + style.unit
  // A comment at the end of the last member's line stays with it.
  const place = skipTrivia(text, after, true)
  const spaces = /[ \t]*$/.exec(text.slice(after, place))?.[0].length ?? 0
  const at = place - spaces
  const made = style.lineEnd + indent + name + render(value, style, indent, false)
  const isSameLine = text[place] !== '\r' && text[place] !== '\n'
  const whole = made + (hasComma ? ',' : '') + (isSameLine ? style.lineEnd + outer : '')
  const grown = replaced(text, at, isSameLine ? place : at, whole)
  return hasComma ? grown : replaced(grown, end, end, ',')
}

/** Cuts out a member or item, its comma gone already, with the spaces that stood between it and a neighbour on its line. */
function cutMember(text: string, from: number, to: number): string {
  const start = lineStart(text, from)
  const end = lineEndAt(text, to)
  const before = text.slice(start, from)
  const isAlone = /^[ \t]*$/.test(before + text.slice(to, end))
  if (isAlone) return cutOut(text, from, to)
  const [gap = ''] = /[ \t]*$/.exec(before) ?? []
  if (before.at(-gap.length - 1) === ',') return replaced(text, from - gap.length, to, '')
  const [after = ''] = /^[ \t]*/.exec(text.slice(to, end)) ?? []
  return replaced(text, from, to + after.length, '')
}

/** An object or list of which nothing but white space is left, in the way that most are written. */
function collapsed(text: string, open: number): string {
  const close = skipTrivia(text, open + 1)
  return text.slice(open + 1, close).trim() === '' && /[\]}]/.test(text[close] ?? '')
    ? replaced(text, open + 1, close, '')
    : text
}

/** Removes a member with one comma; comments beside it stay. */
function remove(text: string, node: Node, child: Node): string {
  const children = node.children ?? []
  const end = endOf(child)
  const next = skipTrivia(text, end)
  if (text[next] === ',') {
    const cut = cutMember(replaced(text, next, next + 1, ''), child.offset, end)
    return children.length > 1 ? cut : collapsed(cut, node.offset)
  }
  const previous = children[children.indexOf(child) - 1]
  const cut = cutMember(text, child.offset, end)
  if (!previous) return collapsed(cut, node.offset)
  const comma = skipTrivia(text, endOf(previous))
  return replaced(cut, comma, comma + 1, '')
}

function set(text: string, path: KeyPath, value: Json | undefined, isStrict: boolean): string {
  const tree = treeOf(text, isStrict)
  if (!tree || path.length === 0) {
    if (value === undefined) return text
    const style = textStyle(text)
    const comments = text.trimEnd()
    const gap = comments === '' ? '' : style.lineEnd
    return comments + gap + render(wrapped(path, value), style, '', false) + style.lineEnd
  }
  let node = tree
  for (const [at, step] of path.entries()) {
    const child = childAt(node, step, path)
    const rest = path.slice(at + 1)
    if (!child) {
      if (value === undefined) return text
      const made = wrapped(path.slice(at), value)
      if (Array.isArray(made)) return append(text, node, undefined, made[0] as Json)
      return append(
        text,
        node,
        step as string,
        (made as Record<string, Json>)[step as string] as Json,
      )
    }
    const inner = child.type === 'property' ? (child.children?.[1] as Node) : child
    if (inner.type === 'null' && rest.length > 0) {
      if (value === undefined) return text
      return replaced(text, inner.offset, endOf(inner), JSON.stringify(wrapped(rest, value)))
    }
    if (rest.length === 0) {
      if (value === undefined) return remove(text, node, child)
      const whole =
        typeof step !== 'string' && isObject(value) ? { ...step.entry, ...value } : value
      const isOneLine = !/[\r\n]/.test(text.slice(tree.offset, endOf(tree)))
      const made = render(whole, textStyle(text), indentAt(text, inner.offset), isOneLine)
      return replaced(text, inner.offset, endOf(inner), made)
    }
    node = inner
  }
  return text
}

/** Where the inside of an empty object or list at a path stands. */
function insideOf(text: string, path: KeyPath): [from: number, to: number] | null {
  let node = treeOf(text, false)
  for (const step of path) {
    const child = node && childAt(node, step, path)
    node = child?.type === 'property' ? child.children?.[1] : child
  }
  const isEmpty = /^(?:object|array)$/.test(node?.type ?? '') && node?.children?.length === 0
  return node && isEmpty ? [node.offset + 1, endOf(node) - 1] : null
}

const formatOf = (isStrict: boolean): TextFormat => ({
  parse: (text) => {
    const tree = treeOf(text, isStrict)
    return tree ? plainValue(tree) : {}
  },
  set: (text, path, value) => set(text, path, value, isStrict),
  insideOf,
})

/** Without comments and trailing commas. */
export const strictJsonFormat = formatOf(true)

export const jsonFormat = formatOf(false)
