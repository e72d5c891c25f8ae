const OPENING = new Set('[{')
const CLOSING = new Set(']}')

/** Levels that are indented: deeper ones stand below one another, or a text would grow with its square. */
const DEEPEST = 100
/** Spaces allowed for each character of the text, and for any text: many short, deep lines would be mostly spaces. */
const SPACES = 16
const SPACES_OF_ANY = 64 * 1024
/** Spaces at most: a string has no more than 512 million characters. */
const MOST_SPACES = 64 * 1024 * 1024

/**
 * A JSON text over several lines, with every number and text as it was written. One that would become mostly spaces is
 * indented only as far as the limits allow.
 */
export function prettyJson(text: string): string {
  let out = ''
  let depth = 0
  let left = Math.min(text.length * SPACES + SPACES_OF_ANY, MOST_SPACES)
  const newLine = () => {
    const spaces = Math.min(depth, DEEPEST) * 2
    left -= spaces
    return left < 0 ? '\n' : `\n${' '.repeat(spaces)}`
  }
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string
    if (character === '"') {
      const end = stringEnd(text, index)
      out += text.slice(index, end)
      index = end - 1
    } else if (OPENING.has(character)) {
      const close = /^\s*[\]}]/.exec(text.slice(index + 1, index + 64))
      if (close) {
        out += character + close[0].trim()
        index += close[0].length
        continue
      }
      depth++
      out += character + newLine()
    } else if (CLOSING.has(character)) {
      depth--
      out += newLine() + character
    } else if (character === ',') out += character + newLine()
    else if (character === ':') out += ': '
    else if (!/\s/.test(character)) out += character
  }
  return out
}

/** Index behind the string that opens here, in a text known to be JSON. */
function stringEnd(text: string, open: number): number {
  let index = open + 1
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1
  return index + 1
}
