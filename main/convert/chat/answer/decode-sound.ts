import type { MediaPart } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asString } from '../../json/json-value.ts'
import { cleanMedia } from '../../media/media.ts'

/**
 * An answer's `audio`. Its format is what the request asked for and is not told; without a sign in the data it
 * is taken for the one that has none, 24 kHz PCM.
 */
export function soundOf(audio: JsonObject): MediaPart {
  const { data: _data, ...rest } = audio
  const data = asString(audio.data) ?? ''
  return {
    type: 'media',
    kind: 'audio',
    source: { type: 'base64', ...cleanMedia('audio/pcm;rate=24000', data) },
    native: { origin: 'chat', fields: { audio: rest } },
  }
}
