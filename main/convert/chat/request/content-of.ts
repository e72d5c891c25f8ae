import type { JsonObject } from '../../json/json-value.ts'

const isPlainText = (part: JsonObject): part is { type: 'text'; text: string } =>
  part.type === 'text' && typeof part.text === 'string' && Object.keys(part).length === 2

/**
 * Parts as a message's `content`: one text where nothing but text is in them, because many compatible
 * vendors take no list there; else the list. `keepsList` leaves several texts apart.
 */
export function contentOf(
  parts: readonly JsonObject[],
  gap: string,
  keepsList: boolean,
): string | readonly JsonObject[] {
  if (keepsList && parts.length > 1) return parts
  return parts.every(isPlainText) ? parts.map(({ text }) => text).join(gap) : parts
}
