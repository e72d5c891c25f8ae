/** How a text is laid out, so that what is added looks like the rest. */
export interface TextStyle {
  lineEnd: '\n' | '\r\n'
  /** One level of indentation. */
  unit: string
}

export function textStyle(text: string): TextStyle {
  const lineEnd = /\r\n/.test(text) ? '\r\n' : '\n'
  const indents = [...text.matchAll(/^([ \t]+)[^\s]/gm)].map(([, indent = '']) => indent)
  if (indents.some((indent) => indent.startsWith('\t'))) return { lineEnd, unit: '\t' }
  const widths = indents.map((indent) => indent.length).filter((width) => width > 1)
  return { lineEnd, unit: ' '.repeat(widths.length > 0 ? Math.min(...widths, 8) : 2) }
}

/** Offset of the beginning of the line that holds `offset`. */
export const lineStart = (text: string, offset: number): number =>
  Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1

/** Offset of the line break that ends the line, or of the text's end. */
export function lineEndAt(text: string, offset: number): number {
  const found = text.slice(offset).search(/[\r\n]/)
  return found < 0 ? text.length : offset + found
}

/** Offset after the line break at `offset`. */
export function afterBreak(text: string, offset: number): number {
  if (text.startsWith('\r\n', offset)) return offset + 2
  return offset < text.length ? offset + 1 : offset
}

/** White space at the beginning of the line that holds `offset`. */
export const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? ''

export const replaced = (text: string, from: number, to: number, by: string): string =>
  text.slice(0, from) + by + text.slice(to)

/** Without `from` to `to`, and without its line where nothing else stands there. */
export function cutOut(text: string, from: number, to: number): string {
  const start = lineStart(text, from)
  const end = lineEndAt(text, to)
  const isAlone = /^[ \t]*$/.test(text.slice(start, from) + text.slice(to, end))
  return isAlone ? replaced(text, start, afterBreak(text, end), '') : replaced(text, from, to, '')
}
