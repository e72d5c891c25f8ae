import { unixSeconds } from '../../../base/clock.ts'
import type { Usage } from '../../exchange.ts'
import type { ExchangeResponse } from '../../exchange-response.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asString } from '../../json/json-value.ts'
import { toDataUrl } from '../../media/media.ts'
import type { BridgeAnswer, BridgeRequest, BridgeTarget } from '../bridge.ts'
import { readGoogleAnswer, withoutResult, wordsOf } from '../google-answer.ts'
import { sumUsage } from '../sum-usage.ts'
import { withImages } from './image-usage.ts'

interface Picture {
  mediaType: string
  /** Base64. */
  data: string
}

/**
 * The pictures of an answer, without the sketches that thinking models send along as thoughts:
 * https://ai.google.dev/gemini-api/docs/image-generation#thinking-process
 */
function picturesOf({ choices }: ExchangeResponse): Picture[] {
  return (choices[0]?.parts ?? []).flatMap((part) =>
    part.type === 'media' &&
    part.kind === 'image' &&
    part.source.type === 'base64' &&
    part.native?.fields.thought !== true
      ? [part.source]
      : [],
  )
}

function encodeUsage(usage: Usage): JsonObject {
  const { input, output, detail } = usage
  const inputImage = detail?.inputImage ?? 0
  const outputImage = detail?.outputImage
  return {
    input_tokens: input,
    input_tokens_details: { text_tokens: input - inputImage, image_tokens: inputImage },
    output_tokens: output,
    ...(outputImage === undefined
      ? {}
      : {
          output_tokens_details: { text_tokens: output - outputImage, image_tokens: outputImage },
        }),
    total_tokens: input + output,
  }
}

/** OpenAI's word for a picture's type: `png`. */
const formatOf = ({ mediaType }: Picture): string => mediaType.replace(/^image\//, '')

/** Notes what of the answers has no place in the client's, or is not as it was asked for. */
function noteLosses(
  answers: readonly ExchangeResponse[],
  pictures: readonly Picture[],
  { body }: BridgeRequest,
  { loss }: BridgeTarget,
): void {
  const wanted = asString(body.output_format)
  const other = pictures.map(formatOf).find((format) => format !== wanted)
  if (wanted !== undefined && other !== undefined) {
    loss.approximate('output_format', { code: 'picture_type', type: other })
  }
  if (answers.some((answer) => wordsOf(answer) !== '')) {
    loss.drop('prompt', 'words_beside_picture')
  }
  const asked = Number(body.n ?? 1)
  if (pictures.length < asked) {
    loss.approximate('n', { code: 'fewer_pictures', made: pictures.length, asked })
  }
}

/** The picture of a stream, in its last event. All are drawn by then, so usage stands in the last only. */
function encodeEvent(picture: Picture, { format, body }: BridgeRequest, more: JsonObject): string {
  const type = `${format === 'image-edits' ? 'image_edit' : 'image_generation'}.completed`
  const event = {
    type,
    b64_json: picture.data,
    created_at: unixSeconds(),
    size: asString(body.size) ?? 'auto',
    quality: asString(body.quality) ?? 'auto',
    background: 'opaque',
    output_format: formatOf(picture),
    ...more,
  }
  return `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`
}

const isStreamed = ({ stream, body }: BridgeRequest): boolean =>
  stream || body.stream === true || body.stream === 'true'

/** OpenAI's answer out of Google's. Throws, in the model's own words, where no picture was made. */
export function decodeImages(
  bodies: readonly Buffer[],
  request: BridgeRequest,
  target: BridgeTarget,
): BridgeAnswer {
  const answers = bodies.map(readGoogleAnswer)
  const pictures = answers.flatMap(picturesOf)
  const [first] = answers
  if (!first || pictures.length === 0) {
    const words = answers.map(wordsOf).find((text) => text !== '')
    throw withoutResult(first?.choices[0]?.stop, words ?? '', 'image')
  }
  noteLosses(answers, pictures, request, target)
  const tokens = sumUsage(answers.map(({ usage }) => usage))
  const usageField = tokens ? { usage: encodeUsage(tokens) } : {}
  const usage = withImages(tokens, pictures.length)
  if (isStreamed(request)) {
    const events = pictures.map((picture, index) =>
      encodeEvent(picture, request, index === pictures.length - 1 ? usageField : {}),
    )
    const contentType = 'text/event-stream; charset=utf-8'
    return { body: Buffer.from(events.join('')), contentType, usage }
  }
  const isUrl = request.body.response_format === 'url'
  const answer = {
    created: first.created ?? unixSeconds(),
    data: pictures.map(({ mediaType, data }) =>
      isUrl ? { url: toDataUrl(mediaType, data) } : { b64_json: data },
    ),
    output_format: formatOf(pictures[0] as Picture),
    ...usageField,
  }
  return { body: Buffer.from(JSON.stringify(answer)), contentType: 'application/json', usage }
}
