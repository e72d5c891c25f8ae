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

/** A body in the encoded head: which of the bodies behind it, and how it came. */
interface BodyPlace {
  /** Its place among the distinct bodies. */
  place: number
  /** Lengths of the chunks. */
  chunks: readonly number[]
  times: readonly number[]
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

/** The distinct bodies of a capture. */
class Bodies {
  readonly all: (readonly Buffer[])[] = []

  place(chunks: readonly Buffer[]): number {
    const known = this.all.findIndex((one) => isSame(chunks, one))
    return known < 0 ? this.all.push(chunks) - 1 : known
  }
}

function headOf(body: CapturedBody, bodies: Bodies): BodyPlace {
  const { pieces, lengths } = body.joined ?? joinedChunks(body.chunks)
  return { place: bodies.place(pieces), chunks: lengths, times: body.times, size: body.size }
}

const joinedChunks = (chunks: readonly Buffer[]): JoinedChunks => ({
  pieces: chunks,
  lengths: chunks.map(({ length }) => length),
})

function requestOf(request: CapturedRequest, bodies: Bodies) {
  const { at, method, url, headers, body, files } = request
  return { at, method, url, headers, body: headOf(body, bodies), files }
}

const answerOf = (answer: CapturedAnswer | null, bodies: Bodies) => {
  if (!answer) return null
  const { at, status, headers, body, endedAt, isCut } = answer
  return { at, status, headers, body: headOf(body, bodies), endedAt, isCut }
}

const exchangeOf = (exchange: CapturedExchange, bodies: Bodies) => {
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
    request: requestOf(request, bodies),
    answer: answerOf(answer, bodies),
  }
}

const frameOf = ({ at, border, isBinary, data }: CapturedFrame, bodies: Bodies) => ({
  at,
  border,
  isBinary,
  data: bodies.all.push([data]) - 1,
})

/**
 * A capture as bytes, in pieces: the length of its head (4 bytes), the head as JSON, the lengths of the bodies in it,
 * then the bodies. Equal bodies stand there once.
 */
export function encodeCapture(capture: Omit<Capture, 'source'>): Buffer[] {
  const { id, receivedAt, userId, tokenId, format, model, client, exchanges, frames } = capture
  const bodies = new Bodies()
  const head = Buffer.from(
    JSON.stringify({
      id,
      receivedAt,
      userId,
      tokenId,
      format,
      model,
      client: {
        request: requestOf(client.request, bodies),
        answer: answerOf(client.answer, bodies),
      },
      exchanges: exchanges.map((exchange) => exchangeOf(exchange, bodies)),
      frames: frames?.map((frame) => frameOf(frame, bodies)),
    }),
  )
  const lengths = Buffer.from(JSON.stringify(bodies.all.map(sizeOf)))
  const sizes = Buffer.alloc(8)
  sizes.writeUInt32BE(head.length, 0)
  sizes.writeUInt32BE(lengths.length, 4)
  return [sizes, head, lengths, ...bodies.all.flat()]
}

/** The distinct bodies in the bytes of a capture, as views of them. Sooner than to decode all of it. */
export function encodedBodies(bytes: Buffer): Buffer[] {
  const headEnd = 8 + bytes.readUInt32BE(0)
  let at = headEnd + bytes.readUInt32BE(4)
  const lengths = JSON.parse(bytes.toString('utf8', headEnd, at)) as number[]
  return lengths.map((length) => {
    at += length
    return bytes.subarray(at - length, at)
  })
}

/** The capture in these bytes; throws for any others. Its bodies are views of them. */
export function decodeCapture(bytes: Buffer, source: Capture['source']): Capture {
  const headEnd = 8 + bytes.readUInt32BE(0)
  const bodies = encodedBodies(bytes)
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
  return { ...capture, source }
}
