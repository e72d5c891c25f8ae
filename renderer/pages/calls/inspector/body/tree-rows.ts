import type { JsonNode } from './parse-tree.ts'
import { readBase64 } from './read-base64.ts'

/** A line of the tree. */
export interface TreeRow {
  node: JsonNode
  depth: number
  /** `open` and `closed` can be folded; `end` closes a bracket; `text` is a line of a long string. */
  kind: 'leaf' | 'open' | 'closed' | 'end' | 'text'
  /** Content of a `text` row. */
  text: string
}

/** Strings longer than this are folded. */
const LONG = 160
/** Characters of a line of an opened string. */
const LINE = 120
/** A container with more values than this starts folded. */
const HEAVY = 60

/** Folded by hand, against how they start. */
export interface Folding {
  start: 'usual' | 'all-open' | 'all-closed'
  toggled: ReadonlySet<string>
}

/** Is it a string that is folded and opened? */
const isLongText = ({ kind, text }: JsonNode): boolean =>
  kind === 'string' && (text.length > LONG || text.includes('\n')) && !readBase64(text)

export const canFold = (node: JsonNode): boolean => node.children.length > 0 || isLongText(node)

export function isOpen(node: JsonNode, depth: number, { start, toggled }: Folding): boolean {
  const opensByItself =
    start === 'usual'
      ? node.kind !== 'string' && (depth < 2 || node.weight <= HEAVY)
      : start === 'all-open' || depth === 0
  return opensByItself !== toggled.has(node.path)
}

/** A long text in lines: as it is broken, and again where a line is too long for a row. */
function* linesOf(text: string): Generator<string> {
  for (const line of text.split('\n')) {
    for (let at = 0; at === 0 || at < line.length; at += LINE) yield line.slice(at, at + LINE)
  }
}

/** The visible lines, in order. */
export function treeRows(root: JsonNode, folding: Folding): TreeRow[] {
  const rows: TreeRow[] = []
  const add = (node: JsonNode, depth: number): void => {
    const row = (kind: TreeRow['kind'], text = '') => rows.push({ node, depth, kind, text })
    const isFolding = canFold(node)
    if (!isFolding || !isOpen(node, depth, folding)) {
      row(isFolding ? 'closed' : 'leaf')
      return
    }
    row('open')
    if (node.kind === 'string') {
      for (const line of linesOf(node.text)) row('text', line)
      return
    }
    for (const child of node.children) add(child, depth + 1)
    row('end')
  }
  add(root, 0)
  return rows
}
