import type { HostedPart, MediaPart } from '../exchange.ts'
import { asString } from '../json/json-value.ts'
import { cleanMedia } from '../media/media.ts'

/** The picture of OpenAI's image tool (`result`), as a file; null for any other tool or a bare call. */
export function drawnImage({ tool, value }: HostedPart): MediaPart | null {
  const data = tool === 'image-generation' ? asString(value.result) : undefined
  if (!data) return null
  const format = asString(value.output_format) ?? 'png'
  const source = { type: 'base64', ...cleanMedia(`image/${format}`, data) } as const
  return { type: 'media', kind: 'image', source }
}
