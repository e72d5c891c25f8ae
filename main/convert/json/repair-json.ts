/** Where a text of JSON ends that was cut: what is still open there, and what can be kept. */
interface Cut {
  /** Closing brackets that are missing, in the order in which they are due. */
  missing: string
  /** Up to here stand whole members. */
  whole: number
  /** Up to here the string that is open at the end can be kept; -1 when none is. */
  string: number
}

/** Undefined for a text whose brackets do not match. */
function findCut(text: string): Cut | undefined {
  const missing: string[] = []
  // Every change of `missing` moves it, so the two always belong together.
  let whole = 0
  let isString = false
  let string = -1
  for (let index = 0; index < text.length; index++) {
    const char = text[index]
    if (isString) {
      if (char === '\\') {
        const last = index + (text[index + 1] === 'u' ? 5 : 1)
        // Half an escape cannot be kept, nor half a character of two.
        const isHalf =
          last >= text.length ||
          (last === text.length - 1 && /^\\u[dD][89abAB]/.test(text.slice(index)))
        if (isHalf) return { missing: missing.reverse().join(''), whole, string: index }
        index = last
      } else if (char === '"') isString = false
    } else if (char === '"') isString = true
    else if (char === ',') whole = index
    else if (char === '{' || char === '[') {
      missing.push(char === '{' ? '}' : ']')
      whole = index + 1
    } else if (char === '}' || char === ']') {
      if (missing.pop() !== char) return undefined
      whole = index + 1
    }
  }
  if (isString) string = text.length
  return { missing: missing.reverse().join(''), whole, string }
}

/**
 * A JSON object whose end is missing, with an end: first with the string or value that stands last, then
 * without it. Each may still be no JSON. A number that stands last is left out: its end may be missing too.
 */
export function completedObjects(text: string): string[] {
  if (!/^\s*\{/.test(text)) return []
  const cut = findCut(text)
  if (!cut) return []
  const { missing, whole, string } = cut
  const shorter = text.slice(0, whole) + missing
  if (string >= 0) return [`${text.slice(0, string)}"${missing}`, shorter]
  return /(?:["\]}]|true|false|null)\s*$/.test(text) ? [text + missing, shorter] : [shorter]
}
