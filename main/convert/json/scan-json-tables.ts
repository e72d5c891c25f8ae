/** Bytes that are looked at in one go. */
export const WINDOW = 64 * 1024
/** Objects and arrays that may stand in one another; Go's parser takes as many. */
export const DEEPEST = 10_000

/** Where things stand in the scanner's memory, as scan-json.wat has it; in bytes. */
export const AT = {
  tokens: 128 * 1024,
  /** The state behind a value in each open object or array; the innermost last. */
  open: 256 * 1024,
  /** The class of each byte. */
  classes: 278_528,
  /** By state and class (8 each), what follows. */
  followers: 278_784,
  /** By a literal's state and byte (256 each), the next state; 0 where it ends. */
  literals: 279_040,
  /** By byte behind a backslash: 0 where it may not stand there, 2 for `u`. */
  escapes: 286_720,
  kept: 286_976,
  end: 5 * 64 * 1024,
} as const

/** State kept from one window to the next, in words of 32 bits from `AT.kept` on. */
export const KEPT = {
  depth: 0,
  state: 1,
  /** State of the literal that the window ends in; 0 where it ends in none. */
  literal: 2,
  /** -1 in a string. */
  text: 3,
  /** 1 where the next byte is escaped. */
  escaped: 4,
  /** A bit for each of the next bytes that has to be a digit of `\u`. */
  digits: 5,
  /** Not 0 where a byte may be none of ASCII. */
  beyondAscii: 6,
  words: 7,
} as const

/** Parts of the body that can be expected next. The last two are of the body as a whole. */
export const STATE = {
  firstName: 0,
  name: 1,
  colon: 2,
  value: 3,
  afterField: 4,
  firstItem: 5,
  item: 6,
  afterItem: 7,
  start: 8,
  nothing: 9,
} as const

/** Classes of bytes: a byte's place here; `.` stands for those that literals begin with, and for all others. */
const CLASSES = '."{[:,}]'
/** From this class on they close what is open. */
export const CLOSERS = CLASSES.indexOf('}')

/** Text in the place of a state. */
export const OPEN_OBJECT = 16
export const OPEN_ARRAY = 17
export const CLOSE = 18
export const WRONG = 255

const values = (after: number) =>
  ({ '.': after, '"': after, '{': OPEN_OBJECT, '[': OPEN_ARRAY }) as const

/** By state and class, what follows; what is missing is wrong. */
const followers: Readonly<Record<number, Readonly<Record<string, number>>>> = {
  [STATE.firstName]: { '"': STATE.colon, '}': CLOSE },
  [STATE.name]: { '"': STATE.colon },
  [STATE.colon]: { ':': STATE.value },
  [STATE.value]: values(STATE.afterField),
  [STATE.afterField]: { ',': STATE.name, '}': CLOSE },
  [STATE.firstItem]: { ...values(STATE.afterItem), ']': CLOSE },
  [STATE.item]: values(STATE.afterItem),
  [STATE.afterItem]: { ',': STATE.item, ']': CLOSE },
  [STATE.start]: { '{': OPEN_OBJECT },
  [STATE.nothing]: {},
}

const DIGITS = '0123456789'
/** Transitions inside numbers: state, bytes, next state. 1 is the beginning of any literal. */
const numberSteps: readonly [from: number, bytes: string, to: number][] = [
  [1, '-', 2],
  [1, '0', 3],
  [1, '123456789', 4],
  [2, '0', 3],
  [2, '123456789', 4],
  [3, '.', 5],
  [3, 'eE', 7],
  [4, DIGITS, 4],
  [4, '.', 5],
  [4, 'eE', 7],
  [5, DIGITS, 6],
  [6, DIGITS, 6],
  [6, 'eE', 7],
  [7, '+-', 8],
  [7, DIGITS, 9],
  [8, DIGITS, 9],
  [9, DIGITS, 9],
]
/** States in which a number may end. */
const numberEnds = [3, 4, 6, 9]
const WORDS = ['true', 'false', 'null']
const LITERAL_STATES = 24
/** Bytes allowed after a literal. */
const ENDS = ' \t\n\r,:[]{}"'

function fillLiterals(table: Uint8Array): void {
  table.fill(WRONG)
  const set = (from: number, bytes: string, to: number) => {
    for (const byte of bytes) table[from * 256 + byte.charCodeAt(0)] = to
  }
  for (const [from, bytes, to] of numberSteps) set(from, bytes, to)
  for (const end of numberEnds) set(end, ENDS, 0)
  let state = 10
  for (const word of WORDS) {
    let from = 1
    for (const letter of word) {
      set(from, letter, state)
      from = state++
    }
    set(from, ENDS, 0)
  }
}

/** Writes the tables into a scanner's memory. */
export function fillTables(memory: Uint8Array): void {
  const byteAt = (text: string, index: number) => text.charCodeAt(index)
  for (let one = 1; one < CLASSES.length; one++) memory[AT.classes + byteAt(CLASSES, one)] = one
  const rows = memory.subarray(AT.followers, AT.literals).fill(WRONG)
  for (const [state, row] of Object.entries(followers)) {
    for (const [byte, next] of Object.entries(row)) {
      rows[Number(state) * CLASSES.length + CLASSES.indexOf(byte)] = next
    }
  }
  fillLiterals(memory.subarray(AT.literals, AT.literals + LITERAL_STATES * 256))
  for (const byte of '"\\/bfnrt') memory[AT.escapes + byteAt(byte, 0)] = 1
  memory[AT.escapes + byteAt('u', 0)] = 2
}
