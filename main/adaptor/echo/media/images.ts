import { hash } from 'node:crypto'
import { unixSeconds } from '../../../base/clock.ts'
import { estimateTokens } from '../../../base/estimate-tokens.ts'
import type { LocalFile, LocalRequest } from '../../adaptor.ts'
import {
  type EchoAnswer,
  type EchoEndpoint,
  eventsAnswer,
  jsonAnswer,
  openaiRefusal,
  refuse,
  typedEvent,
} from '../echo-endpoint.ts'
import { asText, type Json } from '../json-access.ts'
import { readCount, readList, readText, readWord } from '../read-field.ts'
import { drawnSize, drawPicture, type PictureSize, pictureTokens } from './picture.ts'

const MOST_PICTURES = 10
const MOST_PARTIALS = 3
const LARGEST_SIDE = 8192
/** Tokens of a picture that is sent along, whatever its size. */
const UPLOAD_TOKENS = 300

/** The picture to draw. */
interface Order {
  /** All that the pattern follows from. */
  seed: string
  /** The picture drawn in the place of the one asked for. */
  revised: string
  size: PictureSize
  tokens: { text: number; image: number }
  /** Prefix of a stream's event names. */
  event: 'image_generation' | 'image_edit'
}

function readSize({ size }: Json): PictureSize {
  if (size === undefined || size === null || size === '' || size === 'auto') {
    return drawnSize({ width: LARGEST_SIDE, height: LARGEST_SIDE })
  }
  const [, width, height] = /^([1-9]\d{0,3})x([1-9]\d{0,3})$/.exec(asText(size)) ?? []
  if (Math.max(Number(width), Number(height)) <= LARGEST_SIDE) {
    return drawnSize({ width: Number(width), height: Number(height) })
  }
  return refuse('size', `must be auto or <width>x<height>, each at most ${LARGEST_SIDE}`)
}

const isPicture = ({ field }: LocalFile): boolean => /^image(?:\[\]|\[\d+\])?$/.test(field)

/** Uploaded files, as one word for each that changes with its content. */
const hashOf = ({ bytes }: LocalFile): string => hash('sha256', bytes)

function orderOf(request: LocalRequest): Order {
  const { body, files, format } = request
  const size = readSize(body)
  const prompt = format === 'image-variations' ? '' : readText(body, 'prompt')
  const source = prompt === '' ? '' : ` made of “${prompt}”`
  const event = format === 'images' ? 'image_generation' : 'image_edit'
  const text = estimateTokens(prompt)
  if (format === 'images') {
    const revised = `Echo draws no pictures: this is a pattern${source}.`
    return { seed: prompt, revised, size, tokens: { text, image: 0 }, event }
  }
  // Edits may name pictures in JSON: https://platform.openai.com/docs/api-reference/images/createEdit
  const named = readList(body, 'images').map((one) => JSON.stringify(one))
  const pictures = files.filter(isPicture)
  if (pictures.length + named.length === 0) refuse('image', 'must be a file')
  const about = pictures.map(({ filename, bytes }) => `${filename} (${bytes.length} bytes)`)
  const from = [...about, ...named.map(() => 'a picture named by address')].join(', ')
  return {
    seed: [prompt, ...files.map(hashOf), ...named].join(' '),
    revised: `Echo changes no pictures: this is a pattern${source} from the bytes of ${from}.`,
    size,
    tokens: { text, image: UPLOAD_TOKENS * (files.length + named.length) },
    event,
  }
}

/** https://platform.openai.com/docs/api-reference/images/object */
function usageOf({ size, tokens }: Order, count: number): Json {
  const output = pictureTokens(size) * count
  const input = tokens.text + tokens.image
  return {
    input_tokens: input,
    input_tokens_details: { text_tokens: tokens.text, image_tokens: tokens.image },
    output_tokens: output,
    output_tokens_details: { text_tokens: 0, image_tokens: output },
    total_tokens: input + output,
  }
}

/** Several pictures of one order differ. */
const drawnBase64 = ({ seed, size }: Order, index: number, share?: number): string =>
  drawPicture(index === 0 ? seed : `${seed} ${index}`, size, share).toString('base64')

function* events(order: Order, facts: Json, partials: number): Iterable<string> {
  const common = { created_at: unixSeconds(), ...facts }
  for (let index = 0; index < partials; index++) {
    const b64_json = drawnBase64(order, 0, (index + 1) / (partials + 1))
    const place = { partial_image_index: index }
    yield typedEvent(`${order.event}.partial_image`, { b64_json, ...common, ...place })
  }
  const b64_json = drawnBase64(order, 0)
  yield typedEvent(`${order.event}.completed`, { b64_json, ...common, usage: usageOf(order, 1) })
}

function answer(request: LocalRequest): EchoAnswer {
  const { body, stream } = request
  const order = orderOf(request)
  const count = readCount(body, 'n', [1, MOST_PICTURES]) ?? 1
  const facts: Json = {
    size: `${order.size.width}x${order.size.height}`,
    quality: 'low',
    background: 'opaque',
    output_format: readWord(body, 'output_format', ['png']),
  }
  const form = readWord(body, 'response_format', ['b64_json', 'url'])
  const partials = readCount(body, 'partial_images', [0, MOST_PARTIALS]) ?? 0
  if (stream) {
    if (count > 1) refuse('n', 'must be 1 where the picture is streamed')
    return eventsAnswer(events(order, facts, partials))
  }
  return jsonAnswer({
    created: unixSeconds(),
    ...facts,
    data: Array.from({ length: count }, (_, index) => {
      const data = drawnBase64(order, index)
      const picture = form === 'url' ? { url: `data:image/png;base64,${data}` } : { b64_json: data }
      return { ...picture, revised_prompt: order.revised }
    }),
    usage: usageOf(order, count),
  })
}

/** Echo's pictures, made, changed and varied alike: https://platform.openai.com/docs/api-reference/images */
export const images: EchoEndpoint = { answer, refuse: openaiRefusal }
