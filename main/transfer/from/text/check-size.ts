import { wrongText } from './wrong-text.ts'

/** Bytes, nearly: characters of a file that is read as a whole. */
const MOST_CHARACTERS = 20_000_000

interface Bounds {
  characters: number
  /** Depth of nested brackets. */
  depth: number
}

/** For formats whose parsers take long texts well. */
export const deepest: Bounds = { characters: MOST_CHARACTERS, depth: 500 }

/**
 * Refuses a text that a recursive parser could not take: too long, or with brackets in each other too deep.
 * Brackets within quotes count too, which only matters for files that nobody writes.
 */
export function checkSize(text: string, { characters, depth: deepest }: Bounds): void {
  if (text.length > characters) {
    throw wrongText(`The file has ${text.length} characters; the most is ${characters}.`, {
      code: 'file_long',
      length: text.length,
      most: characters,
    })
  }
  let depth = 0
  let line = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10) line++
    else if (code === 0x5b || code === 0x7b) depth++
    else if ((code === 0x5d || code === 0x7d) && depth > 0) depth--
    if (depth > deepest)
      throw wrongText(`Line ${line} is nested more than ${deepest} deep.`, {
        code: 'file_deep',
        line,
        most: deepest,
      })
  }
}
