import type { AnswerTarget } from '../../conversion.ts'
import type { MediaPart } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { toDataUrl } from '../../media/media.ts'
import { keptFields } from '../own-fields.ts'

/** How long OpenAI keeps sound for the next turn, in seconds. */
const SOUND_LIFETIME = 3600

/**
 * An image of an answer. OpenAI has no place for one; this is OpenRouter's, which clients read
 * (https://openrouter.ai/docs/features/multimodal/image-generation). Null for what lies at the vendor.
 */
export function encodeImage({ source }: MediaPart, index: number): JsonObject | null {
  const url =
    source.type === 'base64'
      ? toDataUrl(source.mediaType, source.data)
      : source.type === 'url'
        ? source.url
        : null
  return url === null ? null : { type: 'image_url', index, image_url: { url } }
}

/** Spoken output, in OpenAI's shape; null where there is no data. */
export function encodeSound(part: MediaPart, target: AnswerTarget): JsonObject | null {
  const { source, native } = part
  if (source.type !== 'base64') return null
  const kept = keptFields(native).audio as JsonObject | undefined
  return {
    id: `audio_${target.id}`,
    expires_at: target.created + SOUND_LIFETIME,
    transcript: '',
    ...kept,
    data: source.data,
  }
}
