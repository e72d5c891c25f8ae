import { crc32, inflateSync } from 'node:zlib'

export interface PngFacts {
  width: number
  height: number
  /** Colours that occur, as `r,g,b`. */
  colours: Set<string>
}

/** The content of a plain RGB PNG, read as strictly as the standard is written; throws if it is none. */
export function readPng(file: Buffer): PngFacts {
  if (file.toString('hex', 0, 8) !== '89504e470d0a1a0a') throw new Error('not a PNG')
  const data: Buffer[] = []
  let header: Buffer | null = null
  let last = ''
  for (let at = 8; at < file.length; ) {
    const size = file.readUInt32BE(at)
    last = file.toString('latin1', at + 4, at + 8)
    const content = file.subarray(at + 8, at + 8 + size)
    const sum = crc32(file.subarray(at + 4, at + 8 + size))
    if (sum !== file.readUInt32BE(at + 8 + size)) throw new Error(`wrong checksum of ${last}`)
    if (last === 'IHDR') header = content
    if (last === 'IDAT') data.push(content)
    at += 12 + size
  }
  if (!header || last !== 'IEND') throw new Error('not a whole PNG')
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  if (header.toString('hex', 8) !== '0802000000') throw new Error('not plain RGB')
  const lines = inflateSync(Buffer.concat(data))
  if (lines.length !== (width * 3 + 1) * height) throw new Error('too few or too many pixels')
  const colours = new Set<string>()
  for (let y = 0; y < height; y++) {
    const from = y * (width * 3 + 1)
    if (lines[from] !== 0) throw new Error('a filtered row')
    for (let x = from + 1; x < from + width * 3; x += 3) {
      colours.add(`${lines[x]},${lines[x + 1]},${lines[x + 2]}`)
    }
  }
  return { width, height, colours }
}
