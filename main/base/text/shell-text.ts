/**
 * Control characters, line ends aside. In a text that is pasted into a terminal they are keys: DEL takes away the quote
 * before it, and ESC can end the paste.
 */
const CONTROLS = /[^\P{Cc}\n]/gu

const holdsControls = (text: string): boolean => text.search(CONTROLS) >= 0

/** Bytes of a character as `$'…'` has them. */
const inBytes = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

/** A text as one word of bash and zsh, in which nothing is expanded. */
export const posixText = (text: string): string =>
  holdsControls(text)
    ? `$'${text.replaceAll(/[\\']/g, '\\$&').replaceAll(CONTROLS, inBytes)}'`
    : `'${text.replaceAll("'", `'\\''`)}'`

/** A text in quotes in which nothing is expanded; PowerShell ends it at a typographic quote too. */
const plain = (text: string): string => `'${text.replaceAll(/['‘’‚‛]/g, '$&$&')}'`

/** A text as PowerShell has it, put together where it holds characters that a terminal would take for keys. */
export function powershellText(text: string): string {
  if (!holdsControls(text)) return plain(text)
  const items: string[] = []
  let from = 0
  for (const { 0: key, index } of text.matchAll(CONTROLS)) {
    if (index > from) items.push(plain(text.slice(from, index)))
    items.push(`[char]${key.charCodeAt(0)}`)
    from = index + 1
  }
  if (from < text.length) items.push(plain(text.slice(from)))
  return `(-join @(${items.join(', ')}))`
}
