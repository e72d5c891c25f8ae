import type { Picture } from './picture.ts'
import { readPng } from './read-png.ts'

/** The pictures in a Windows icon, as its directory lists them; throws where directory and pictures differ. */
export function readIco(file: Buffer): Picture[] {
  if (file.readUInt32LE(0) !== 0x00010000) throw new Error('not an icon')
  return Array.from({ length: file.readUInt16LE(4) }, (_nothing, index) => {
    const entry = file.subarray(6 + 16 * index, 22 + 16 * index)
    const [width, height] = [entry.readUInt8(0) || 256, entry.readUInt8(1) || 256]
    const from = entry.readUInt32LE(12)
    const content = file.subarray(from, from + entry.readUInt32LE(8))
    if (content.length !== entry.readUInt32LE(8)) throw new Error('not a whole icon')
    const picture = content.readUInt8(0) === 0x89 ? readPng(content) : readBitmap(content)
    if (picture.width !== width || picture.height !== height) {
      throw new Error(`${width}×${height} in the directory, and ${picture.width}×${picture.height}`)
    }
    return picture
  })
}

/** BGRA from the bottom up, and behind it a mask of one bit a pixel. */
function readBitmap(content: Buffer): Picture {
  const [width, height] = [content.readInt32LE(4), content.readInt32LE(8) / 2]
  if (content.readUInt32LE(0) !== 40 || content.readUInt16LE(14) !== 32) {
    throw new Error('not a bitmap of 32 bits a pixel')
  }
  const maskLength = Math.ceil(width / 32) * 4 * height
  if (content.length !== 40 + width * height * 4 + maskLength) {
    throw new Error('too few or too many pixels')
  }
  const rgba = Buffer.alloc(width * height * 4)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = 40 + ((height - 1 - y) * width + x) * 4
      const [blue, green, red, opacity] = content.subarray(from, from + 4)
      rgba.set([red, green, blue, opacity] as number[], (y * width + x) * 4)
    }
  }
  return { width, height, rgba }
}
