const FENCE = /^ {0,3}(`{3,}|~{3,})/
const LIST = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/
/** A reference that is defined in one block is used in another. */
const DEFINITION = /^ {0,3}\[[^\]]+\]:\s/m

/**
 * Markdown in pieces that can be rendered one by one: cut at blank lines outside of code and lists. Text that grows
 * changes the last piece alone, so all others stay as they were rendered.
 */
export function splitBlocks(text: string): string[] {
  if (DEFINITION.test(text)) return [text]
  const blocks: string[] = []
  let lines: string[] = []
  let fence: string | null = null
  let isList = false
  let isBlank = false

  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1]
    const isInside = fence !== null
    if (fence !== null && mark?.startsWith(fence) && line.trim() === mark) fence = null
    else if (fence === null && mark) fence = mark
    if (!isInside && line.trim() === '') {
      isBlank = true
      lines.push(line)
      continue
    }
    const goesOn = isInside || /^(\s|$)/.test(line) || (isList && LIST.test(line))
    if (isBlank && !goesOn && lines.some((one) => one.trim() !== '')) {
      blocks.push(lines.join('\n'))
      lines = []
      isList = false
    }
    if (!isInside) {
      isBlank = false
      if (LIST.test(line)) isList = true
      else if (!/^\s/.test(line)) isList = isList && lines.length > 0
    }
    lines.push(line)
  }
  if (lines.length > 0) blocks.push(lines.join('\n'))
  return blocks
}

/** Characters of a piece. Smaller pieces take longer in all, larger ones hold the page up. */
const PIECE = 2000

/**
 * Blocks of a text that grows no more, joined into pieces: a reply of 300 KB has thousands of them, and to parse each
 * alone takes three times as long.
 */
export function joinBlocks(blocks: readonly string[]): string[] {
  const pieces: string[] = []
  for (const block of blocks) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length < PIECE) pieces[pieces.length - 1] = `${last}\n${block}`
    else pieces.push(block)
  }
  return pieces
}

export interface SplitText {
  text: string
  blocks: readonly string[]
}

/**
 * The blocks of a text, after those of what it began with. A block that two others follow stays as it is: how its
 * successor begins can't change any more.
 */
export function splitGrown(text: string, known: SplitText | null): readonly string[] {
  const settled = known && text.startsWith(known.text) ? known.blocks.slice(0, -2) : []
  if (settled.length === 0) return splitBlocks(text)
  // Copied: a slice of a string keeps the whole string in memory.
  const rest = structuredClone(
    text.slice(settled.reduce((sum, block) => sum + block.length + 1, 0)),
  )
  return DEFINITION.test(rest) ? splitBlocks(text) : [...settled, ...splitBlocks(rest)]
}
