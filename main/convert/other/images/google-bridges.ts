import type { FormatBridge } from '../bridge.ts'
import { decodeImages } from './decode-google.ts'
import { encodeImages } from './encode-google.ts'

/**
 * Pictures of Google's models: https://ai.google.dev/gemini-api/docs/image-generation. No stream is asked of
 * them, since each picture comes whole. Variations, which have no words, have no way there.
 */
export const imageBridges: readonly FormatBridge[] = (['images', 'image-edits'] as const).map(
  (from) => ({
    from,
    to: 'generate-content',
    encode: encodeImages,
    decode: decodeImages,
  }),
)
