import type {
  Capture,
  CapturedAnswer,
  CapturedBody,
  CapturedExchange,
  CapturedFrame,
  CapturedRequest,
  JoinedChunks,
} from './capture.ts'

// Literals are written out, without spreading: a call's pieces are many, and that took a fifth of the time.

/** Numbers in the encoded head. Long lists stand behind the bodies: as JSON they took nearly half of the time. */
type Numbers = readonly number[] | { from: number; count: number }
/** Numbers up to which a list stands in the head. */
const FEW = 8

/** A body in the encoded head: which of the bodies behind it, and how it came. */
interface BodyPlace {
  /** Its place among the distinct bodies. */
  place: number
  /** Lengths of the chunks. */
  chunks: Numbers
  times: Numbers
  size: number
}

const NO_BYTES = Buffer.alloc(0)

const sizeOf = (chunks: readonly Buffer[]): number =>
  chunks.reduce((sum, { length }) => sum + length, 0)

/** Are these the same bytes? Those that pass through are the very same memory, and needn't be looked at. */
function isSame(chunks: readonly Buffer[], others: readonly Buffer[]): boolean {
  const isShared =
    chunks.length === others.length &&
    chunks.every(
      ({ buffer, byteOffset, length }, at) =>
        buffer === others[at]?.buffer &&
        byteOffset === others[at].byteOffset &&
        length === others[at].length,
    )
  if (isShared) return true
  return sizeOf(chunks) === sizeOf(others) && Buffer.concat(chunks).equals(Buffer.concat(others))
}

/** What stands behind the head: the distinct bodies of a capture, and its long lists of numbers. */
class Tail {
  readonly bodies: (readonly Buffer[])[] = []
  readonly #lists: { list: readonly number[]; from: number }[] = []
  #count = 0

  place(chunks: readonly Buffer[]): number {
    const known = this.bodies.findIndex((one) => isSame(chunks, one))
    return known < 0 ? this.bodies.push(chunks) - 1 : known
  }

  numbers(list: readonly number[]): Numbers {
    const { length: count } = list
    if (count <= FEW) return list
    // Equal bodies share their chunks' lengths.
    const known = this.#lists.find((one) => one.list === list)
    if (known) return { from: known.from, count }
    const from = this.#count
    this.#lists.push({ list, from })
    this.#count += count
    return { from, count }
  }

  /** All the lists, one behind the other, 8 bytes a number. */
  get allNumbers(): Buffer {
    const all = new Float64Array(this.#count)
    for (const { list, from } of this.#lists) all.set(list, from)
    return Buffer.from(all.buffer)
  }
}

function headOf(body: CapturedBody, tail: Tail): BodyPlace {
  const { pieces, lengths } = body.joined ?? joinedChunks(body.chunks)
  return {
    place: tail.place(pieces),
    chunks: tail.numbers(lengths),
    times: tail.numbers(body.times),
    size: body.size,
  }
}

const joinedChunks = (chunks: readonly Buffer[]): JoinedChunks => ({
  pieces: chunks,
  lengths: chunks.map(({ length }) => length),
})

function requestOf(request: CapturedRequest, tail: Tail) {
  const { at, method, url, headers, body, files } = request
  return { at, method, url, headers, body: headOf(body, tail), files }
}

const answerOf = (answer: CapturedAnswer | null, tail: Tail) => {
  if (!answer) return null
  const { at, status, headers, body, endedAt, isCut } = answer
  return { at, status, headers, body: headOf(body, tail), endedAt, isCut }
}

const exchangeOf = (exchange: CapturedExchange, tail: Tail) => {
  const { channelId, channelName, model, format, connectedAt, sentAt, request, answer, failure } =
    exchange
  return {
    channelId,
    channelName,
    model,
    format,
    connectedAt,
    sentAt,
    failure,
    request: requestOf(request, tail),
    answer: answerOf(answer, tail),
  }
}

const frameOf = ({ at, border, isBinary, data }: CapturedFrame, tail: Tail) => ({
  at,
  border,
  isBinary,
  data: tail.bodies.push([data]) - 1,
})

/**
 * A capture as bytes, in pieces: the length of its head (4 bytes), the head as JSON, the lengths of the bodies in it,
 * then the bodies, then the long lists of numbers. Equal bodies stand there once.
 */
export function encodeCapture(capture: Omit<Capture, 'source'>): Buffer[] {
  const { id, receivedAt, userId, tokenId, format, model, client, exchanges, frames } = capture
  const tail = new Tail()
  const head = Buffer.from(
    JSON.stringify({
      id,
      receivedAt,
      userId,
      tokenId,
      format,
      model,
      client: {
        request: requestOf(client.request, tail),
        answer: answerOf(client.answer, tail),
      },
      exchanges: exchanges.map((exchange) => exchangeOf(exchange, tail)),
      frames: frames?.map((frame) => frameOf(frame, tail)),
    }),
  )
  const lengths = Buffer.from(JSON.stringify(tail.bodies.map(sizeOf)))
  const sizes = Buffer.alloc(8)
  sizes.writeUInt32BE(head.length, 0)
  sizes.writeUInt32BE(lengths.length, 4)
  return [sizes, head, lengths, ...tail.bodies.flat(), tail.allNumbers]
}

/** The distinct bodies in the bytes of a capture, and its lists of numbers, which older ones don't have: all views. */
function tailOf(bytes: Buffer): { bodies: Buffer[]; numbers: Buffer } {
  const headEnd = 8 + bytes.readUInt32BE(0)
  let at = headEnd + bytes.readUInt32BE(4)
  const lengths = JSON.parse(bytes.toString('utf8', headEnd, at)) as number[]
  const bodies = lengths.map((length) => {
    at += length
    return bytes.subarray(at - length, at)
  })
  return { bodies, numbers: bytes.subarray(at) }
}

/** The distinct bodies in the bytes of a capture, as views of them. Sooner than to decode all of it. */
export const encodedBodies = (bytes: Buffer): Buffer[] => tailOf(bytes).bodies

/** The capture in these bytes; throws for any others. Its bodies are views of them. */
export function decodeCapture(bytes: Buffer, source: Capture['source']): Capture {
  const headEnd = 8 + bytes.readUInt32BE(0)
  const { bodies, numbers } = tailOf(bytes)
  // A copy, as they may lie anywhere in the bytes.
  const all = new Float64Array(new Uint8Array(numbers).buffer)
  const listOf = (list: Numbers): readonly number[] =>
    'from' in list ? [...all.subarray(list.from, list.from + list.count)] : list
  const restore = ({ place, chunks, times, size }: BodyPlace): CapturedBody => {
    let from = 0
    const whole = bodies[place] ?? NO_BYTES
    const pieces = listOf(chunks).map((length) => {
      from += length
      return whole.subarray(from - length, from)
    })
    return { chunks: pieces, times: listOf(times), size }
  }
  const capture = JSON.parse(bytes.toString('utf8', 8, headEnd), (name, value: unknown) => {
    if (name === 'body') return restore(value as BodyPlace)
    if (name === 'data') return bodies[value as number]
    return value
  }) as Capture
  return { ...capture, source }
}
