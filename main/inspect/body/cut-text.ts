/** At most so many UTF-16 units of a text, no character cut in half. */
export function cutText(text: string, length: number, from = 0): string {
  const part = text.slice(from, from + length)
  const isHalf = from + length < text.length && /[\ud800-\udbff]$/.test(part)
  return isHalf ? part.slice(0, -1) : part
}
