const FENCE = /^ {0,3}(`{3,}|~{3,})/
const LIST = /^\s*(?:[-*+]|\d{1,9}[.)])\s/
const INDENTED = /^(?: {4}|\t)/
const BEGIN = /^\\begin\{([a-zA-Z]+\*?)\}/
/** Characters: further than this no end is looked for, so that a text made of beginnings takes no time. */
const LONGEST = 2000
const PUNCTUATION = /[!-/:-@[-`{-~]/g

/**
 * Markdown that shows the sources of formulas as the model wrote them: `\(a_1\)`, `\[…\]`, `$…$`, `$$…$$` and
 * `\begin{…}…\end{…}` outside code. Without it their backslashes count as escapes and their `_` and `*` as emphasis.
 */
export function keepMath(text: string): string {
  if (!text.includes('\\') && !text.includes('$')) return text
  let kept = ''
  let prose = ''
  let fence: string | null = null
  let hasList = false
  let isAfterBlank = true
  const code = (line: string) => {
    kept += mathInProse(prose) + line
    prose = ''
  }
  for (const line of text.split(/(?<=\n)/)) {
    const mark = FENCE.exec(line)?.[1]
    if (fence !== null) {
      code(line)
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null
    } else if (mark) {
      fence = mark
      code(line)
    } else if (!hasList && isAfterBlank && INDENTED.test(line)) {
      code(line)
      continue
    } else {
      prose += line
      hasList ||= LIST.test(line)
    }
    isAfterBlank = line.trim() === ''
  }
  return kept + mathInProse(prose)
}

/** Finds the next place of a mark, from places that only grow: each part of the text is looked through once a mark. */
function finderIn(text: string): (mark: string, from: number) => number {
  const found = new Map<string, number>()
  return (mark, from) => {
    const known = found.get(mark)
    if (known === -1 || (known !== undefined && known >= from)) return known
    const next = text.indexOf(mark, from)
    found.set(mark, next)
    return next
  }
}

type Finder = ReturnType<typeof finderIn>

function mathInProse(text: string): string {
  const find = finderIn(text)
  let kept = ''
  let from = 0
  for (let at = nextMark(text, 0); at !== -1; at = nextMark(text, from)) {
    const end = endOfCode(text, at) ?? endOfMath(text, at, find)
    kept += text.slice(from, at)
    if (end === null) {
      // What a backslash or a run of marks stands before isn't looked at again.
      from = at + (text[at] === '\\' ? 2 : runAt(text, at))
      kept += text.slice(at, from)
    } else {
      from = end
      kept += text[at] === '`' ? text.slice(at, end) : escaped(text.slice(at, end))
    }
  }
  return kept + text.slice(from)
}

function nextMark(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const sign = text[at]
    if (sign === '\\' || sign === '$' || sign === '`') return at
  }
  return -1
}

/** How many of the same sign stand in a row. */
function runAt(text: string, at: number): number {
  let end = at + 1
  while (text[end] === text[at]) end++
  return end - at
}

function endOfCode(text: string, at: number): number | null {
  if (text[at] !== '`') return null
  const length = runAt(text, at)
  for (let from = at + length; ; ) {
    const next = text.indexOf('`', from)
    if (next === -1 || next - at > LONGEST) return null
    from = next + runAt(text, next)
    if (from - next === length) return from
  }
}

function endOfMath(text: string, at: number, find: Finder): number | null {
  const two = text.slice(at, at + 2)
  if (two === '\\(') return endBefore(text, at, find, '\\)')
  if (two === '\\[') return endBefore(text, at, find, '\\]')
  if (two === '$$') return endBefore(text, at, find, '$$')
  if (text[at] === '$') return endOfDollars(text, at, find)
  const environment = BEGIN.exec(text.slice(at, at + 40))?.[1]
  return environment === undefined ? null : endBefore(text, at, find, `\\end{${environment}}`)
}

/** The end of a formula within its paragraph. */
function endBefore(text: string, at: number, find: Finder, mark: string): number | null {
  const end = find(mark, at + 2)
  if (end === -1 || end - at > LONGEST) return null
  return /\n[ \t>]*\n/.test(text.slice(at, end)) ? null : end + mark.length
}

/** `$5 and $10` are prices: a formula has no space inside its dollars, and no digit after them. */
function endOfDollars(text: string, at: number, find: Finder): number | null {
  const end = find('$', at + 1)
  if (end === -1 || end - at > LONGEST) return null
  const inner = text.slice(at + 1, end)
  const isMath = inner !== '' && !inner.includes('\n') && inner.trim() === inner
  return isMath && !/\d/.test(text[end + 1] ?? '') ? end + 1 : null
}

/** Each sign as itself, and each line on its own; what makes a line part of a quote stays. */
const escaped = (math: string): string =>
  math
    .split('\n')
    .map((line, index) => {
      const margin = index === 0 ? '' : (/^[ \t>]*/.exec(line)?.[0] ?? '')
      return margin + line.slice(margin.length).trimEnd().replaceAll(PUNCTUATION, '\\$&')
    })
    .join('\\\n')
