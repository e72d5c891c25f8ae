import { crc32, deflateSync } from 'node:zlib'
import { randomFrom } from '../reply/random-from.ts'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Eight bits a channel, red green blue, no interlacing. */
const TRUE_COLOUR = [8, 2, 0, 0, 0]
const CHANNELS = 3

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)])
}

/**
 * A PNG file (https://www.w3.org/TR/png-3/) of pixels that stand row by row, three bytes each: red, green,
 * blue.
 */
export function encodePng(width: number, height: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set(TRUE_COLOUR, 8)
  const row = width * CHANNELS
  // A row begins with its filter: 0 for none.
  const lines = Buffer.alloc((row + 1) * height)
  for (let y = 0; y < height; y++) {
    pixels.copy(lines, y * (row + 1) + 1, y * row, (y + 1) * row)
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Longer side of a picture, in pixels. */
const LONGEST = 512
/** Squares on the longer side. */
const CELLS = 8
const EMPTY_RATIO = 0.45

export interface PictureSize {
  width: number
  height: number
}

/** A size with the same ratio that is no larger than Echo draws, in whole pixels. */
export function drawnSize({ width, height }: PictureSize): PictureSize {
  const scale = Math.min(1, LONGEST / Math.max(width, height))
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
}

/** Tokens of a picture: one for every 16 by 16 pixels. */
export const pictureTokens = ({ width, height }: PictureSize): number =>
  Math.ceil((width * height) / 256)

/** Hue from 0 to 1, as light and full as suits a pattern; red, green, blue from 0 to 255. */
function colourOf(hue: number, light: number): readonly [number, number, number] {
  const channel = (offset: number) => {
    const angle = (hue + offset) * 2 * Math.PI
    return Math.round(255 * Math.min(1, Math.max(0, light + 0.32 * Math.cos(angle))))
  }
  return [channel(0), channel(1 / 3), channel(2 / 3)]
}

/**
 * A PNG with a pattern of coloured squares, the same left and right, that follows from `seed` alone. Of a
 * `share` under 1 only the upper part is drawn, as a picture in the making.
 */
export function drawPicture(seed: string, { width, height }: PictureSize, share = 1): Buffer {
  const random = randomFrom(`picture ${seed}`)
  const ground = colourOf(random(), 0.82)
  const hue = random()
  const side = Math.max(width, height) / CELLS
  const columns = Math.ceil(width / side)
  const rows = Math.ceil(height / side)
  const cells: (readonly [number, number, number])[][] = []
  for (let row = 0; row < rows; row++) {
    const half = Array.from({ length: Math.ceil(columns / 2) }, () =>
      random() < EMPTY_RATIO ? ground : colourOf(hue + random() * 0.25, 0.35 + random() * 0.3),
    )
    const isDrawn = row < rows * share
    cells.push(isDrawn ? half : half.map(() => ground))
  }
  // A cell's lines are alike, so each is made once.
  const lines = cells.map((cell) => {
    const line = Buffer.alloc(width * 3)
    for (let x = 0; x < width; x++) {
      const column = Math.floor(x / side)
      line.set(cell[Math.min(column, columns - 1 - column)] ?? ground, x * 3)
    }
    return line
  })
  const pixels = Array.from({ length: height }, (_, y) => lines[Math.floor(y / side)])
  return encodePng(width, height, Buffer.concat(pixels.flatMap((line) => line ?? [])))
}
