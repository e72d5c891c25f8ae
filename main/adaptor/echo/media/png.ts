import { crc32, deflateSync } from 'node:zlib'

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
