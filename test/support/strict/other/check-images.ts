import type { BridgeFile } from '../../../../main/convert/other/bridge.ts'
import { namedEvent } from '../answers/answer.ts'
import { checkBase64 } from '../requests/media-rules.ts'
import {
  countFrom,
  demand,
  type Json,
  numberWithin,
  objectAt,
  objectsAt,
  oneOf,
  onlyFields,
  refuse,
  textAt,
} from '../requests/refusal.ts'
import { PNG } from '../requests/refused-by.ts'

const FIELDS =
  'model prompt n size quality background output_format output_compression moderation partial_images stream user'
const OLD_FIELDS = 'model prompt n size quality style response_format user'

/** Refuses what OpenAI refuses at /images/generations. */
export function checkImageGeneration(body: Json): void {
  const model = textAt(body.model ?? 'dall-e-2', 'model')
  const isOld = model.startsWith('dall-e')
  const known = (isOld ? OLD_FIELDS : FIELDS).split(' ')
  const unknown = Object.keys(body).find((name) => !known.includes(name))
  if (unknown !== undefined)
    refuse(unknown, `Unknown parameter: '${unknown}'.`, 400, 'unknown_parameter')
  demand(textAt(body.prompt, 'prompt') !== '', 'prompt', 'string too short')
  if (body.n != null) numberWithin(countFrom(body.n, 'n', 1), 'n', 1, model === 'dall-e-3' ? 1 : 10)
  if (body.size != null) {
    demand(/^(auto|\d+x\d+)$/.test(textAt(body.size, 'size')), 'size', 'Invalid value')
  }
  if (body.quality != null) {
    oneOf(body.quality, 'quality', isOld ? 'standard hd' : 'low medium high auto')
  }
  if (body.background != null) oneOf(body.background, 'background', 'transparent opaque auto')
  if (body.output_format != null) oneOf(body.output_format, 'output_format', 'png jpeg webp')
  if (body.partial_images != null) {
    numberWithin(body.partial_images, 'partial_images', 0, 3)
    demand(body.stream === true, 'partial_images', 'is only allowed when stream is true')
  }
}

/** Refuses what OpenAI refuses of a form at /images/edits. */
export function checkImageEdit(
  fields: Readonly<Record<string, readonly string[]>>,
  files: readonly BridgeFile[],
): void {
  const body = Object.fromEntries(Object.entries(fields).map(([name, values]) => [name, values[0]]))
  onlyFields(body, '', `${FIELDS} input_fidelity`)
  demand(textAt(body.prompt, 'prompt') !== '', 'prompt', 'string too short')
  const images = files.filter(({ field }) => field === 'image' || field === 'image[]')
  demand(images.length > 0, 'image', 'Missing required parameter')
  demand(images.length <= 16, 'image', 'at most 16 images')
  for (const { field, contentType } of files) {
    oneOf(field, field, 'image image[] mask')
    oneOf(contentType, field, 'image/png image/jpeg image/webp')
  }
}

const usage = (images: number): Json => ({
  input_tokens: 12,
  input_tokens_details: { text_tokens: 12, image_tokens: 0 },
  output_tokens: 100 * images,
  output_tokens_details: { text_tokens: 0, image_tokens: 100 * images },
  total_tokens: 12 + 100 * images,
})

/** OpenAI's answer, whole and as a stream with one half-drawn picture. */
export function answerImages(
  images: number,
  events: 'image_generation' | 'image_edit',
): { whole: Json; chunks: readonly string[] } {
  const shown = { created_at: 1, size: '1024x1024', quality: 'low', background: 'opaque' }
  const picture = { b64_json: PNG, output_format: 'png', ...shown }
  return {
    whole: {
      created: 1,
      data: Array.from({ length: images }, () => ({ b64_json: PNG })),
      output_format: 'png',
      usage: usage(images),
    },
    chunks: [
      namedEvent({ type: `${events}.partial_image`, partial_image_index: 0, ...picture }),
      namedEvent({ type: `${events}.completed`, ...picture, usage: usage(1) }),
    ],
  }
}

const RATIOS = '1:1 2:3 3:2 3:4 4:3 4:5 5:4 9:16 16:9 21:9'
const IMAGES = 'image/png image/jpeg image/webp image/heic image/heif'

/** Refuses what Google refuses of a call for a picture. */
export function checkGoogleImage(body: Json, model: string): void {
  onlyFields(body, '', 'contents generationConfig safetySettings systemInstruction')
  const [content, second] = objectsAt(body.contents, 'contents')
  demand(content && !second, 'contents', 'one turn')
  const parts = objectsAt(content.parts, 'contents[0].parts')
  demand(parts.length > 0, 'contents[0].parts', 'must not be empty')
  for (const [index, part] of parts.entries()) {
    const path = `contents[0].parts[${index}]`
    onlyFields(part, path, 'text inlineData')
    if (part.inlineData === undefined) {
      demand(textAt(part.text, path) !== '', path, 'must have a text parameter')
      continue
    }
    const blob = objectAt(part.inlineData, `${path}.inlineData`)
    onlyFields(blob, `${path}.inlineData`, 'mimeType data')
    checkBase64(blob.data, blob.mimeType, IMAGES, `${path}.inlineData`)
  }
  const path = 'generationConfig'
  const config = objectAt(body.generationConfig, path)
  onlyFields(config, path, 'responseModalities imageConfig temperature seed')
  const modalities = config.responseModalities
  demand(Array.isArray(modalities) && modalities.includes('IMAGE'), path, 'IMAGE is missing')
  if (config.imageConfig === undefined) return
  const image = objectAt(config.imageConfig, `${path}.imageConfig`)
  // The Gemini API does not know Vertex's other fields.
  onlyFields(image, `${path}.imageConfig`, 'aspectRatio imageSize')
  if (image.aspectRatio !== undefined) oneOf(image.aspectRatio, `${path}.aspectRatio`, RATIOS)
  if (image.imageSize !== undefined) {
    demand(!model.startsWith('gemini-2'), `${path}.imageSize`, 'is not supported for this model')
    oneOf(image.imageSize, `${path}.imageSize`, '1K 2K 4K')
  }
}

/** Google's answer: a picture, with words where there are any. */
export const answerGoogleImage = (words = ''): Json => ({
  candidates: [
    {
      content: {
        role: 'model',
        parts: [
          ...(words === '' ? [] : [{ text: words }]),
          { inlineData: { mimeType: 'image/png', data: PNG } },
        ],
      },
      finishReason: 'STOP',
      index: 0,
    },
  ],
  usageMetadata: {
    promptTokenCount: 7,
    candidatesTokenCount: 1290,
    totalTokenCount: 1297,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: 7 }],
    candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
  },
  modelVersion: 'gemini-3.1-flash-image',
})

/** Google's answer without a picture: its words, or only the reason. */
export const answerWithoutImage = (reason: string, words = ''): Json => ({
  candidates: [
    {
      content: { role: 'model', parts: words === '' ? [] : [{ text: words }] },
      finishReason: reason,
      index: 0,
    },
  ],
  usageMetadata: { promptTokenCount: 7, totalTokenCount: 7 },
})
