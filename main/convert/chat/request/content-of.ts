type Fields = Record<string, unknown>

const isPlainText = (part: Fields): part is { type: 'text'; text: string } =>
  part.type === 'text' && typeof part.text === 'string' && Object.keys(part).length === 2

/**
 * Parts as a message's `content`: one text where nothing but text is in them, because many compatible
 * vendors take no list there; else the list. `keepsList` leaves several texts apart.
 */
export function contentOf(
  parts: readonly Fields[],
  gap: string,
  keepsList: boolean,
): string | readonly Fields[] {
  if (keepsList && parts.length > 1) return parts
  return parts.every(isPlainText) ? parts.map(({ text }) => text).join(gap) : parts
}
