import {
  asNumber,
  asObject,
  asText,
  type JsonObject,
  objectIn,
  objectsOf,
  usageFigures,
} from '../run/json-answer.ts'
import { filledOnly } from '../run/optional-fields.ts'
import type { Task } from '../run/task.ts'

interface ImageDraft {
  prompt: string
  /** Empty fields are not sent. */
  n: number | ''
  size: string
  quality: string
  response_format: string
}

export interface Picture {
  /** Null when the vendor returned a URL. */
  blob: Blob | null
  address: string | null
  /** `png` */
  extension: string
  prompt: string
  /** The prompt as the vendor rewrote it, if it says so. */
  revisedPrompt: string | null
}

const body = (model: string, { prompt, n, size, quality, response_format }: ImageDraft) => ({
  model,
  prompt: prompt.trim(),
  ...filledOnly({ n, size: size.trim(), quality, response_format }),
})

/** https://platform.openai.com/docs/api-reference/images/create */
export const imageTask: Task<'playground.images', ImageDraft, Picture[]> = {
  operation: 'playground.images',
  blank: { prompt: '', n: '', size: '', quality: '', response_format: '' },
  isReady: ({ prompt }) => prompt.trim() !== '',
  input: body,
  request: (model, draft) => ({
    path: '/v1/images/generations',
    body: { json: body(model, draft) },
  }),
  read(answer, { prompt }) {
    const pictures = objectsOf(objectIn(answer).data).map((item) => pictureOf(item, prompt))
    if (pictures.length === 0) throw new TypeError('The answer holds no picture.')
    return pictures
  },
  usage(answer) {
    const { usage } = objectIn(answer)
    // Some vendors report the output only as part of the total.
    return asNumber(asObject(usage)?.output_tokens) === null ? [] : usageFigures(usage)
  },
}

function pictureOf(item: JsonObject, prompt: string): Picture {
  const url = asText(item.url)
  const inside = url?.match(/^data:[^,]*;base64,(.*)$/s)?.[1]
  const data = asText(item.b64_json) ?? inside
  const revisedPrompt = asText(item.revised_prompt)
  if (data) {
    const { extension, type } = kindOf(data)
    const blob = new Blob([bytesOf(data)], { type })
    return { blob, address: null, extension, prompt, revisedPrompt }
  }
  if (!url || !/^https?:/.test(url)) throw new TypeError('A picture has neither bytes nor address.')
  return { blob: null, address: url, extension: '', prompt, revisedPrompt }
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64.replaceAll(/\s/g, '')), (sign) => sign.charCodeAt(0))

/** Base64 prefixes of image types; answers don't always name the type. */
const beginnings = [
  { start: 'iVBORw0', extension: 'png', type: 'image/png' },
  { start: '/9j/', extension: 'jpg', type: 'image/jpeg' },
  { start: 'UklGR', extension: 'webp', type: 'image/webp' },
  { start: 'R0lGOD', extension: 'gif', type: 'image/gif' },
  { start: 'PHN2Zy', extension: 'svg', type: 'image/svg+xml' },
  { start: 'PD94bWw', extension: 'svg', type: 'image/svg+xml' },
] as const

const kindOf = (base64: string) =>
  beginnings.find(({ start }) => base64.startsWith(start)) ?? beginnings[0]
