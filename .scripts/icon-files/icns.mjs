/** Entries that macOS looks for: a type for each size in points and scale, and how its pixels are stored. */
const entries = [
  { type: 'ic04', size: 16, write: argb },
  { type: 'ic05', size: 32, write: argb },
  { type: 'ic07', size: 128, write: png },
  { type: 'ic08', size: 256, write: png },
  { type: 'ic09', size: 512, write: png },
  // The same at two pixels a point.
  { type: 'ic11', size: 32, write: png },
  { type: 'ic12', size: 64, write: png },
  { type: 'ic13', size: 256, write: png },
  { type: 'ic14', size: 512, write: png },
  { type: 'ic10', size: 1024, write: png },
]

export const icnsSizes = [...new Set(entries.map(({ size }) => size))]

/** A macOS icon of `pictures`, which are `{ size, png, rgba }`, one of each size of `icnsSizes`. */
export function writeIcns(pictures) {
  const parts = entries.map(({ type, size, write }) =>
    part(type, write(pictures.find((picture) => picture.size === size))),
  )
  return part('icns', Buffer.concat(parts))
}

function part(type, contents) {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32BE(8 + contents.length, 4)
  return Buffer.concat([head, contents])
}

function png(picture) {
  return picture.png
}

/** Small icons are four planes, each with its repetitions packed: macOS reads no PNG in their types. */
function argb({ rgba }) {
  const plane = (channel) => rgba.filter((_value, index) => index % 4 === channel)
  return Buffer.concat([
    Buffer.from('ARGB'),
    ...[3, 0, 1, 2].map((channel) => pack(plane(channel))),
  ])
}

/** A byte below 128 says how many follow as they are, less one; one from 128 how often the next comes, plus 125. */
function pack(bytes) {
  const packed = []
  let literal = []
  const flush = () => {
    if (literal.length > 0) packed.push(literal.length - 1, ...literal)
    literal = []
  }
  for (let at = 0; at < bytes.length; ) {
    let run = 1
    while (run < 130 && bytes[at + run] === bytes[at]) run++
    if (run >= 3) {
      flush()
      packed.push(run + 125, bytes[at])
      at += run
    } else {
      literal.push(bytes[at])
      at++
      if (literal.length === 128) flush()
    }
  }
  flush()
  return Buffer.from(packed)
}
