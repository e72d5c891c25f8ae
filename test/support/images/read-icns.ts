import type { Picture } from './picture.ts'
import { readPng } from './read-png.ts'

/** Pixels of a side for each type that macOS looks for; the first two are packed planes, the rest PNG. */
const sides: Record<string, number> = {
  ic04: 16,
  ic05: 32,
  ic07: 128,
  ic08: 256,
  ic09: 512,
  ic10: 1024,
  ic11: 32,
  ic12: 64,
  ic13: 256,
  ic14: 512,
}

/** The pictures in a macOS icon by their type; throws where one is not what its type says. */
export function readIcns(file: Buffer): Map<string, Picture> {
  if (file.toString('latin1', 0, 4) !== 'icns' || file.readUInt32BE(4) !== file.length) {
    throw new Error('not a whole macOS icon')
  }
  const pictures = new Map<string, Picture>()
  for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4)) {
    const type = file.toString('latin1', at, at + 4)
    const content = file.subarray(at + 8, at + file.readUInt32BE(at + 4))
    const side = sides[type]
    if (side === undefined) throw new Error(`unknown type ${type}`)
    const isPacked = content.toString('latin1', 0, 4) === 'ARGB'
    const picture = isPacked ? readPlanes(content.subarray(4), side) : readPng(content)
    if (picture.width !== side || picture.height !== side) throw new Error(`${type} is not ${side}`)
    pictures.set(type, picture)
  }
  return pictures
}

function readPlanes(packed: Buffer, side: number): Picture {
  const bytes: number[] = []
  for (let at = 0; at < packed.length; ) {
    const head = packed[at] as number
    if (head < 128) {
      bytes.push(...packed.subarray(at + 1, at + 2 + head))
      at += head + 2
    } else {
      bytes.push(...Array<number>(head - 125).fill(packed[at + 1] as number))
      at += 2
    }
  }
  const pixels = side * side
  if (bytes.length !== pixels * 4) throw new Error('too few or too many pixels')
  const rgba = Buffer.alloc(pixels * 4)
  for (let pixel = 0; pixel < pixels; pixel++) {
    // The planes are opacity, red, green and blue.
    for (const [channel, plane] of [1, 2, 3, 0].entries()) {
      rgba[pixel * 4 + channel] = bytes[plane * pixels + pixel] as number
    }
  }
  return { width: side, height: side, rgba }
}
