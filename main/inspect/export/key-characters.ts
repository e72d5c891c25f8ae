/**
 * Control characters, line ends aside. In a text that is pasted into a terminal they are keys: DEL takes away the quote
 * before it, and ESC can end the paste.
 */
export const KEYS = /[^\P{Cc}\n]/gu

export const holdsKeys = (text: string): boolean => text.search(KEYS) >= 0
