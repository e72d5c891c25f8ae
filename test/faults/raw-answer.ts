import type { RawExchange } from './raw-upstream.ts'

type Headers = Readonly<Record<string, string | number>>

/** The head of an answer, with its blank line. */
export function head(status: number, headers: Headers = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Some words\r\n${lines.join('')}\r\n`
}

/** One chunk of a chunked body. */
export function chunk(bytes: string | Buffer): Buffer {
  const data = Buffer.from(bytes as string)
  return Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')])
}

/** The end of a chunked body. */
export const lastChunk = '0\r\n\r\n'

export const JSON_TYPE = { 'content-type': 'application/json' }
export const EVENTS_TYPE = { 'content-type': 'text/event-stream' }
const CHUNKED = { 'transfer-encoding': 'chunked' }

/** A right answer with its content-length. */
export async function sendWhole(
  exchange: RawExchange,
  status: number,
  headers: Headers,
  body: string | Buffer,
): Promise<void> {
  const bytes = Buffer.from(body as string)
  await exchange.write(head(status, { ...headers, 'content-length': bytes.length }))
  await exchange.write(bytes)
  exchange.done()
}

/** The beginning of a chunked answer: its head and these pieces, each a chunk of its own. */
export async function beginChunked(
  exchange: RawExchange,
  headers: Headers,
  pieces: readonly (string | Buffer)[],
): Promise<void> {
  await exchange.write(head(200, { ...headers, ...CHUNKED }))
  for (const piece of pieces) await exchange.write(chunk(piece))
}

/** A right stream, or what is wrong only in its words. */
export async function sendEvents(
  exchange: RawExchange,
  events: readonly (string | Buffer)[],
  headers: Headers = EVENTS_TYPE,
): Promise<void> {
  await beginChunked(exchange, headers, events)
  await exchange.write(lastChunk)
  exchange.done()
}

/** Breaks the connection off, when what was written before has had time to arrive. */
export async function resetSoon({ socket }: RawExchange): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 30))
  socket.resetAndDestroy()
}
