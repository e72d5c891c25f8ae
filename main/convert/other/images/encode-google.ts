import type { MediaPart } from '../../exchange.ts'
import { encodeMediaData } from '../../generate-content/request/encode-media.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString, wordOf } from '../../json/json-value.ts'
import { parseDataUrl } from '../../media/media.ts'
import { modelRules } from '../../model/model-rules.ts'
import type { BridgeFile, BridgeRequest, BridgeTarget } from '../bridge.ts'
import {
  checkInlineSize,
  type InlineFile,
  inlineTurn,
  typeOfFile,
  withoutLogs,
} from '../inline-turn.ts'
import { imageConfigOf } from './image-size.ts'

/** https://ai.google.dev/gemini-api/docs/image-understanding#supported-formats */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif']

/** Fields that are heard elsewhere here, or in the answer. */
const KNOWN = ['model', 'prompt', 'n', 'stream', 'image', 'image[]', 'images', 'output_format']

/** Values with which a field asks for no more than it would without. */
const DEFAULTS = new Map(
  Object.entries({
    quality: ['auto', 'standard'],
    moderation: ['auto'],
    background: ['auto', 'opaque'],
    response_format: ['b64_json'],
    partial_images: ['0'],
    output_compression: ['100'],
  }),
)

/** Settings beside the prompt: refused where the picture would differ, else noted. */
function checkSettings({ body }: BridgeRequest, { loss, settings }: BridgeTarget): void {
  for (const [field, value] of Object.entries(body)) {
    // Fields that a form leaves empty are not sent.
    if (value === null || value === '' || KNOWN.includes(field) || field === 'size') continue
    const word = wordOf(value)
    if (DEFAULTS.get(field)?.includes(word)) continue
    if (field === 'background') {
      loss.refuse(field, 'no_transparency')
    } else if (field === 'mask') {
      loss.refuse(field, 'say_in_prompt')
    } else if (field === 'response_format') {
      if (word !== 'url')
        loss.refuse(field, { code: 'must_be_either', values: ['b64_json', 'url'] })
      if (settings.image_url === 'refuse') {
        loss.refuse(field, 'must_be_picture_in_answer')
      }
      loss.approximate(field, 'picture_in_address')
    } else if (field === 'partial_images') {
      loss.drop(field, 'nothing_before_whole')
    } else loss.drop(field, 'model_has_no_setting')
  }
}

/** The pictures of a form, each as it was sent. */
function imagesOfForm(files: readonly BridgeFile[], target: BridgeTarget): InlineFile[] {
  checkInlineSize(files, target)
  return files.map((file) => {
    const { field } = file
    if (field === 'mask') {
      target.loss.refuse(field, 'say_in_prompt')
    }
    if (field !== 'image' && field !== 'image[]') {
      target.loss.refuse(field, 'pictures_as_image')
    }
    const mimeType = typeOfFile(file)
    if (!IMAGE_TYPES.includes(mimeType)) {
      target.loss.refuse(field, 'must_be_image_for_model')
    }
    return { mimeType, bytes: file.bytes }
  })
}

/** A picture of a JSON body: its address or `data:` URL, as text or in `image_url`. */
function imageOf(value: unknown, path: string, { model, loss }: BridgeTarget): JsonObject {
  const wire = asObject(value)
  const inner = asObject(wire?.image_url)
  const url = asString(value) ?? asString(wire?.image_url) ?? asString(inner?.url)
  if (url === undefined) return loss.refuse(path, 'must_be_image_address')
  const data = parseDataUrl(url)
  const part: MediaPart = {
    type: 'media',
    kind: 'image',
    at: path,
    source: data ? { type: 'base64', ...data } : { type: 'url', url, mediaType: null },
  }
  const rules = modelRules('generate-content', model)
  return encodeMediaData(part, { origin: 'chat', isOwn: false, rules, loss })
}

function imagesOfJson(body: JsonObject, target: BridgeTarget): JsonObject[] {
  return ['image', 'images'].flatMap((field) => {
    const value = body[field]
    if (value === undefined || value === null) return []
    if (!Array.isArray(value)) return [imageOf(value, field, target)]
    return asArray(value).map((one, index) => imageOf(one, `${field}[${index}]`, target))
  })
}

/**
 * Bodies of generateContent, one for each picture that is wanted: Google makes one a call. Words are asked
 * for too, because with them the model says why it makes none.
 */
export function encodeImages(
  request: BridgeRequest,
  target: BridgeTarget,
): readonly (readonly Buffer[])[] {
  const { body, files } = request
  checkSettings(request, target)
  const images = [...imagesOfForm(files, target), ...imagesOfJson(body, target)]
  if (images.length === 0 && request.format === 'image-edits') {
    target.loss.refuse('image', 'picture_required')
  }
  const imageConfig = imageConfigOf(wordOf(body.size || 'auto'), target)
  const piece = inlineTurn([{ text: body.prompt }, ...images], {
    ...withoutLogs(target),
    generationConfig: {
      responseModalities: ['TEXT', 'IMAGE'],
      ...(imageConfig ? { imageConfig } : {}),
    },
  })
  // A form's numbers are texts.
  return Array.from({ length: Number(body.n || 1) }, () => piece)
}
