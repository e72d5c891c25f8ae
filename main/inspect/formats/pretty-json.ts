const OPENING = new Set('[{')
const CLOSING = new Set(']}')

/** A JSON text over several lines, with every number and text as it was written. */
export function prettyJson(text: string): string {
  let out = ''
  let depth = 0
  const newLine = () => `\n${'  '.repeat(depth)}`
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
