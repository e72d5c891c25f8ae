import { isBase64 } from '../../../../main/base/text/is-base64.ts'
import { demand, textAt } from './refusal.ts'

const beginnings: readonly [string, string][] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi0', 'application/pdf'],
]

/** Base64 without prefix or blanks, whose first bytes are of the type that it claims. */
export function checkBase64(data: unknown, mediaType: unknown, types: string, path: string): void {
  demand(
    typeof mediaType === 'string' && types.split(' ').includes(mediaType),
    path,
    `The media type ${JSON.stringify(mediaType)} is not one of: ${types}`,
  )
  const text = textAt(data, path)
  demand(text !== '', path, 'The data is empty')
  demand(isBase64(text), path, 'The data is no plain base64')
  const real = beginnings.find(([start]) => text.startsWith(start))?.[1]
  demand(
    real === undefined || real === mediaType,
    path,
    `The data was specified as ${mediaType} but appears to be ${real}`,
  )
}

/** `data:<type>;base64,<data>` or https. */
export function checkUrl(url: unknown, types: string, path: string): void {
  const text = textAt(url, path)
  const match = /^data:([^;,]*);base64,(.*)$/s.exec(text)
  if (match) checkBase64(match[2], match[1], types, path)
  else demand(/^https?:\/\/\S+$/.test(text), path, 'Invalid URL')
}

export const IMAGE_TYPES = 'image/jpeg image/png image/gif image/webp'
