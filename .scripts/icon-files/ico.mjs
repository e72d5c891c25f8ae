/** From this size on an entry is a PNG; smaller ones are bitmaps, which every reader of .ico knows. */
const PNG_FROM = 256

/**
 * A Windows icon. `pictures` are `{ size, png, rgba }`: `rgba` is not premultiplied, row after row.
 * https://learn.microsoft.com/en-us/previous-versions/ms997538(v=msdn.10)
 */
export function writeIco(pictures) {
  const images = pictures.map((picture) =>
    picture.size < PNG_FROM ? bitmap(picture) : picture.png,
  )
  const head = Buffer.alloc(6 + 16 * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  pictures.forEach(({ size }, index) => {
    const at = 6 + 16 * index
    // 0 stands for 256.
    head.writeUInt8(size % 256, at)
    head.writeUInt8(size % 256, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(images[index].length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += images[index].length
  })
  return Buffer.concat([head, ...images])
}

/** A BITMAPINFOHEADER, the pixels as BGRA from the bottom up, and a mask of one bit a pixel. */
function bitmap({ size, rgba }) {
  const header = Buffer.alloc(40)
  header.writeUInt32LE(40, 0)
  header.writeInt32LE(size, 4)
  // Twice the height: pixels and mask.
  header.writeInt32LE(size * 2, 8)
  header.writeUInt16LE(1, 12)
  header.writeUInt16LE(32, 14)
  const pixels = Buffer.alloc(size * size * 4)
  const maskRow = Math.ceil(size / 32) * 4
  const mask = Buffer.alloc(maskRow * size)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const [red, green, blue, alpha] = rgba.subarray(((size - 1 - y) * size + x) * 4)
      pixels.set([blue, green, red, alpha], (y * size + x) * 4)
      if (alpha === 0) mask[y * maskRow + (x >> 3)] |= 0x80 >> (x & 7)
    }
  }
  header.writeUInt32LE(pixels.length + mask.length, 20)
  return Buffer.concat([header, pixels, mask])
}
