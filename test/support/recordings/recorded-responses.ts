import { createParser } from 'eventsource-parser'
import type { ServerEvent } from '../../../main/convert/conversion.ts'
import { readFixture } from './fixtures.ts'

type Json = Record<string, unknown>

/** One recorded Responses stream. */
export interface RecordedResponses {
  name: string
  /** As it came off the wire. */
  bytes: Buffer
  events: readonly ServerEvent[]
  /** The data of each event, parsed. */
  objects: readonly Json[]
}

/** The events in bytes that come in these pieces. */
export function readEvents(pieces: readonly Buffer[]): ServerEvent[] {
  const events: ServerEvent[] = []
  const decoder = new TextDecoder()
  const parser = createParser({
    onEvent: ({ event, data }) => events.push({ event: event ?? null, data }),
  })
  for (const piece of pieces) parser.feed(decoder.decode(piece, { stream: true }))
  parser.feed(`${decoder.decode()}\n\n`)
  return events.filter(({ data }) => data !== '')
}

export const objectsIn = (text: string): Json[] =>
  readEvents([Buffer.from(text)]).map(({ data }) => JSON.parse(data) as Json)

function recorded(name: string, bytes: Buffer): RecordedResponses {
  const events = readEvents([bytes])
  return { name, bytes, events, objects: events.map(({ data }) => JSON.parse(data) as Json) }
}

/** The streams in a file of payloads; `response.created` begins the next one. */
function fromChunks(file: string): RecordedResponses[] {
  const streams: string[] = []
  for (const line of String(readFixture(`openai-responses/${file}`)).split('\n')) {
    if (line.trim() === '') continue
    const { type } = JSON.parse(line) as { type: string }
    if (type === 'response.created') streams.push('')
    streams[streams.length - 1] += `event: ${type}\ndata: ${line}\n\n`
  }
  return streams.map((text, index) => recorded(`${file} ${index + 1}`, Buffer.from(text)))
}

const fromBytes = (file: string) => recorded(file, readFixture(`openai-responses/${file}`))

/** Every recorded Responses stream that ends well. */
export const recordedResponses: readonly RecordedResponses[] = [
  fromBytes('text-and-tool-stream-turn1.response.sse'),
  fromBytes('text-and-tool-stream-turn2.response.sse'),
  ...fromChunks('reasoning-encrypted-stream.chunks.txt'),
  ...fromChunks('custom-tool-stream.chunks.txt'),
  ...fromChunks('apply-patch-stream.chunks.txt'),
  ...fromChunks('image-generation-stream.chunks.txt'),
]

/** One that ends in `error` and `response.failed`. */
export const failedResponse: RecordedResponses = fromChunks(
  'error-stream.chunks.txt',
)[0] as RecordedResponses
