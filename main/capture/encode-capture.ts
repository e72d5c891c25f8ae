import type { Capture, CapturedBody, CapturedFrame } from './capture.ts'

/** A body in the encoded head: which of the bodies behind it, and how it came. */
interface BodyPlace {
  /** Its place among the distinct bodies. */
  place: number
  /** Lengths of the chunks. */
  chunks: number[]
  times: readonly number[]
  size: number
}

const NO_BYTES = Buffer.alloc(0)

/**
 * A capture as bytes: the length of its head (4 bytes), the head as JSON, the lengths of the bodies in it, then the
 * bodies. Equal bodies stand there once.
 */
export function encodeCapture(capture: Capture): Buffer {
  const bodies: Buffer[] = []
  const placeOf = ({ chunks, times, size }: CapturedBody): BodyPlace => {
    const whole = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
    const known = bodies.findIndex((one) => one.equals(whole))
    const place = known < 0 ? bodies.push(whole) - 1 : known
    return { place, chunks: chunks.map(({ length }) => length), times, size }
  }
  const head = JSON.stringify(capture, function replace(this: unknown, name, value) {
    if (name === 'body') return placeOf(value as CapturedBody)
    // A Buffer is turned into an object before it comes here.
    if (name === 'data') return bodies.push((this as CapturedFrame).data) - 1
    return value
  })
  const lengths = JSON.stringify(bodies.map(({ length }) => length))
  const first = Buffer.from(head)
  const second = Buffer.from(lengths)
  const sizes = Buffer.alloc(8)
  sizes.writeUInt32BE(first.length, 0)
  sizes.writeUInt32BE(second.length, 4)
  return Buffer.concat([sizes, first, second, ...bodies])
}

/** The capture in these bytes; throws for any others. */
export function decodeCapture(bytes: Buffer): Capture {
  const headEnd = 8 + bytes.readUInt32BE(0)
  let at = headEnd + bytes.readUInt32BE(4)
  const lengths = JSON.parse(bytes.toString('utf8', headEnd, at)) as number[]
  const bodies = lengths.map((length) => {
    const body = bytes.subarray(at, at + length)
    at += length
    return body
  })
  const restore = ({ place, chunks, times, size }: BodyPlace): CapturedBody => {
    let from = 0
    const whole = bodies[place] ?? NO_BYTES
    const pieces = chunks.map((length) => {
      from += length
      return whole.subarray(from - length, from)
    })
    return { chunks: pieces, times, size }
  }
  const capture = JSON.parse(bytes.toString('utf8', 8, headEnd), (name, value: unknown) => {
    if (name === 'body') return restore(value as BodyPlace)
    if (name === 'data') return bodies[value as number]
    return value
  }) as Capture
  return { ...capture, source: 'disk' }
}
