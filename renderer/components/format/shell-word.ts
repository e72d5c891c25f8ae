export type Shell = 'posix' | 'powershell'

/** Control characters, line ends aside. */
const CONTROL = /[^\P{Cc}\n]/u
const CONTROLS = /[^\P{Cc}\n]/gu

/** Texts that a shell takes for one word as they are. */
const plain: Readonly<Record<Shell, RegExp>> = {
  posix: /^[\w@%+=:,./-]+$/,
  // A comma makes a list there, and a sign before a name means something.
  powershell: /^\w[\w:./-]*$/,
}

/** A text as one word of a shell, in which nothing is expanded: models are named by vendors, and prompts are pasted. */
export function shellWord(text: string, shell: Shell): string {
  return plain[shell].test(text) ? text : quotedWord(text, shell)
}

/** The same, in quotes even where none are needed. */
export const quotedWord = (text: string, shell: Shell): string =>
  shell === 'posix' ? posixQuoted(text) : powershellQuoted(text)

/**
 * Pasted into a terminal, a control character is a key: DEL would take away the quote before it, and ESC can end the
 * paste. bash, zsh and POSIX.1-2024 read `$'…'`.
 */
const posixQuoted = (text: string): string =>
  CONTROL.test(text)
    ? `$'${text.replaceAll(/[\\']/g, '\\$&').replaceAll(CONTROLS, inBytes)}'`
    : `'${text.replaceAll("'", `'\\''`)}'`

const inBytes = (character: string): string =>
  [...new TextEncoder().encode(character)]
    .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
    .join('')

/** A text between quotes of PowerShell, which ends it at a typographic quote too. */
export const withinPowershell = (text: string): string => text.replaceAll(/['‘’‚‛]/g, '$&$&')

function powershellQuoted(text: string): string {
  const quoted = (part: string) => `'${withinPowershell(part)}'`
  if (!CONTROL.test(text)) return quoted(text)
  const parts = text.split(/([^\P{Cc}\n])/u).filter((part) => part !== '')
  const items = parts.map((part) =>
    CONTROL.test(part) ? `[char]${part.charCodeAt(0)}` : quoted(part),
  )
  return `(-join @(${items.join(', ')}))`
}
