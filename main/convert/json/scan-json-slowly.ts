import {
  AT,
  CLOSE,
  CLOSERS,
  DEEPEST,
  KEPT,
  OPEN_ARRAY,
  OPEN_OBJECT,
  STATE,
  WRONG,
} from './scan-json-tables.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20
/** Four digits stand behind `\u`. */
const DIGITS = 0b1111

const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
const isHexDigit = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66)

/**
 * Does byte by byte, in the same memory, what `scan` of scan-json.wat does: for processors that lack what that
 * needs. About a tenth as fast.
 */
export function scanSlowly(memory: Uint8Array, end: number): number {
  const kept = new Int32Array(memory.buffer, AT.kept, KEPT.words)
  const tokens = new Uint16Array(memory.buffer, AT.tokens)
  const read = (at: number) => memory[at] as number
  let found = 0
  const fault = (index: number) => -1 - index

  function inText(code: number): boolean {
    if (kept[KEPT.digits]) {
      kept[KEPT.digits] = (kept[KEPT.digits] as number) >> 1
      return isHexDigit(code)
    }
    if (kept[KEPT.escaped]) {
      kept[KEPT.escaped] = 0
      const kind = read(AT.escapes + code)
      if (kind === 2) kept[KEPT.digits] = DIGITS
      return kind > 0
    }
    if (code === BACKSLASH) kept[KEPT.escaped] = 1
    else if (code === QUOTE) kept[KEPT.text] = 0
    return code >= SPACE
  }

  function begins(code: number, index: number): boolean {
    const state = kept[KEPT.state] as number
    const depth = kept[KEPT.depth] as number
    const kind = read(AT.classes + code)
    if (depth <= 1 || (depth === 2 && (state === STATE.firstItem || kind >= CLOSERS))) {
      tokens[found++] = index
    }
    const next = read(AT.followers + state * 8 + kind)
    if (next === WRONG) return false
    if (next === CLOSE) {
      kept[KEPT.depth] = depth - 1
      kept[KEPT.state] = depth === 1 ? STATE.nothing : read(AT.open + depth - 2)
    } else if (next === OPEN_OBJECT || next === OPEN_ARRAY) {
      if (depth === DEEPEST) return false
      memory[AT.open + depth] = next === OPEN_OBJECT ? STATE.afterField : STATE.afterItem
      kept[KEPT.state] = next === OPEN_OBJECT ? STATE.firstName : STATE.firstItem
      kept[KEPT.depth] = depth + 1
    } else {
      kept[KEPT.state] = next
      if (code === QUOTE) kept[KEPT.text] = -1
      else if (kind === 0) kept[KEPT.literal] = 1
    }
    return true
  }

  /** False where it is wrong; the byte behind a literal is looked at once more. */
  function look(code: number, index: number): boolean {
    if (kept[KEPT.text]) return inText(code)
    if (kept[KEPT.literal]) {
      const next = read(AT.literals + (kept[KEPT.literal] as number) * 256 + code)
      kept[KEPT.literal] = next
      if (next !== 0) return next !== WRONG
    }
    if (isSpace(code)) return true
    if (!begins(code, index)) return false
    return kept[KEPT.literal] === 0 || look(code, index)
  }

  kept[KEPT.beyondAscii] = 1
  for (let index = 0; index < end; index++) {
    if (!look(read(index), index)) return fault(index)
  }
  return found
}
