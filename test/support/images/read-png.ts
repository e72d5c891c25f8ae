import { crc32, inflateSync } from 'node:zlib'
import type { Picture } from './picture.ts'

const SIGNATURE = '89504e470d0a1a0a'

export interface Png extends Picture {
  /** Pixels a metre, where the file says so. */
  resolution?: number
}

/** Decodes a PNG of eight bits a channel, with or without opacity; throws for what is none. */
export function readPng(file: Buffer): Png {
  if (file.toString('hex', 0, 8) !== SIGNATURE) throw new Error('not a PNG')
  const data: Buffer[] = []
  let header: Buffer | undefined
  let resolution: number | undefined
  let last = ''
  for (let at = 8; at < file.length; ) {
    const size = file.readUInt32BE(at)
    last = file.toString('latin1', at + 4, at + 8)
    const content = file.subarray(at + 8, at + 8 + size)
    if (crc32(file.subarray(at + 4, at + 8 + size)) !== file.readUInt32BE(at + 8 + size)) {
      throw new Error(`wrong checksum of ${last}`)
    }
    if (last === 'IHDR') header = content
    if (last === 'IDAT') data.push(content)
    if (last === 'pHYs') resolution = content.readUInt32BE(0)
    at += 12 + size
  }
  if (!header || last !== 'IEND') throw new Error('not a whole PNG')
  const channels = { 2: 3, 6: 4 }[header.readUInt8(9)]
  if (header.readUInt8(8) !== 8 || channels === undefined || header.readUInt8(12) !== 0) {
    throw new Error('not eight bits a channel, or no plain rows of colours')
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const bytes = unfilter(inflateSync(Buffer.concat(data)), width * channels, height, channels)
  const rgba = channels === 4 ? bytes : withOpacity(bytes)
  return { width, height, rgba, ...(resolution !== undefined && { resolution }) }
}

/** Each byte is stored as its difference from a guess made of its neighbours; a row says of which ones. */
function unfilter(lines: Buffer, rowLength: number, height: number, channels: number): Buffer {
  if (lines.length !== (rowLength + 1) * height) throw new Error('too few or too many pixels')
  const bytes = Buffer.alloc(rowLength * height)
  for (let y = 0; y < height; y++) {
    const filter = lines[y * (rowLength + 1)] as number
    for (let x = 0; x < rowLength; x++) {
      const at = y * rowLength + x
      const left = x < channels ? 0 : (bytes[at - channels] as number)
      const above = y === 0 ? 0 : (bytes[at - rowLength] as number)
      const corner = x < channels || y === 0 ? 0 : (bytes[at - rowLength - channels] as number)
      const guess = guessBy[filter]
      if (guess === undefined) throw new Error('an unknown filter')
      bytes[at] = (lines[y * (rowLength + 1) + 1 + x] as number) + guess(left, above, corner)
    }
  }
  return bytes
}

/** By the number of the filter. */
const guessBy: readonly ((left: number, above: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_left, above) => above,
  (left, above) => (left + above) >> 1,
  nearest,
]

function nearest(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner)
  const toAbove = Math.abs(left - corner)
  const toCorner = Math.abs(left + above - 2 * corner)
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}

function withOpacity(rgb: Buffer): Buffer {
  const rgba = Buffer.alloc((rgb.length / 3) * 4, 0xff)
  for (let pixel = 0; pixel * 3 < rgb.length; pixel++) {
    rgb.copy(rgba, pixel * 4, pixel * 3, pixel * 3 + 3)
  }
  return rgba
}
