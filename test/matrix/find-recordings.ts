import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parseAllDocuments } from 'yaml'
import type { WireFormat } from '../../main/convert/exchange.ts'
import { readEvents } from '../support/recordings/recorded-responses.ts'
import type { Json } from '../support/strict/requests/refusal.ts'
import { recognizeBody } from './recognize-body.ts'

/** One request, answer, stream or error, as some vendor or client once sent it. */
export interface Recording {
  /** Its file, with a number where the file holds several. */
  name: string
  format: WireFormat
  kind: 'request' | 'answer' | 'stream' | 'error'
  /** Empty for a stream. */
  body: Json
  /** A stream's, as they come over the wire. */
  bytes: Buffer
}

const LARGEST_FILE = 12 * 1024 * 1024

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Does a stream of this format tell by this event that it is whole? */
function isLast(format: WireFormat, event: Json): boolean {
  if (format === 'messages') return event.type === 'message_stop'
  if (format === 'responses') return /^response\.(?:completed|incomplete)$/.test(String(event.type))
  const [list, word] =
    format === 'chat' ? [event.choices, 'finish_reason'] : [event.candidates, 'finishReason']
  return Array.isArray(list) && list.some((one) => isObject(one) && Boolean(one[word]))
}

/** Collects what is found; the same bytes twice count once. */
class Finds {
  readonly recordings: Recording[] = []
  readonly #seen = new Set<string>()
  readonly #counts = new Map<string, number>()
  file = ''

  add(
    format: WireFormat,
    kind: Recording['kind'],
    body: Json,
    bytes: Buffer = Buffer.alloc(0),
  ): void {
    const content = kind === 'stream' ? bytes : JSON.stringify(body)
    const key = createHash('sha256').update(format).update(content).digest('base64')
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    const count = (this.#counts.get(this.file) ?? 0) + 1
    this.#counts.set(this.file, count)
    const name = count === 1 ? this.file : `${this.file} ${count}`
    this.recordings.push({ name, format, kind, body, bytes })
  }

  /** The events of one stream, or of several one after the other; what breaks off is passed over. */
  addEvents(format: WireFormat, events: readonly Json[], bytes?: Buffer): void {
    const begins = ({ type }: Json) => type === 'message_start' || type === 'response.created'
    const starts = events.flatMap((event, at) => (begins(event) ? [at] : []))
    const isTyped = format === 'messages' || format === 'responses'
    if (!isTyped) starts.splice(0, starts.length, 0)
    for (const [index, start] of starts.entries()) {
      const own = events.slice(start, starts[index + 1])
      if (!own.some((event) => isLast(format, event))) continue
      this.add(format, 'stream', {}, starts.length === 1 && bytes ? bytes : frame(format, own))
    }
  }
}

/** Events in the bytes of the wire. */
function frame(format: WireFormat, events: readonly Json[]): Buffer {
  const isNamed = format === 'messages' || format === 'responses'
  const texts = events.map((event) => {
    const data = `data: ${JSON.stringify(event)}\n\n`
    return isNamed ? `event: ${event.type}\n${data}` : data
  })
  if (format === 'chat') texts.push('data: [DONE]\n\n')
  return Buffer.from(texts.join(''))
}

/** The format of a list of events; null for any other list. */
function formatOfEvents(list: readonly unknown[]): WireFormat | null {
  for (const one of list.slice(0, 4)) {
    const known = recognizeBody(one)
    if (known?.kind === 'event') return known.format
    if (known?.format === 'generate-content' && known.kind === 'answer') return known.format
  }
  return null
}

const addressKeys = ['uri', 'url', 'path', 'endpoint'] as const

function addressOf(value: Json, before: string): string {
  const beside = isObject(value.request) ? value.request : value
  for (const name of addressKeys) {
    const address = beside[name]
    if (typeof address === 'string' && address.includes('/')) return address
  }
  return before
}

/** Looks for recordings in a text: a JSON body, a stream of events, or a JSON value a line. */
function searchText(text: string, address: string, finds: Finds, isWhole: boolean): void {
  const begin = text.slice(0, 400).trimStart()
  if (/^(?:data|event|:|id):?/.test(begin) && text.includes('data:')) {
    const bytes = Buffer.from(text)
    const events = readEvents([bytes]).flatMap(({ data }) => {
      const value = parseJson(data)
      return isObject(value) ? [value] : []
    })
    const format = formatOfEvents(events)
    if (format) finds.addEvents(format, events, bytes)
    return
  }
  if (!/^[[{]/.test(begin)) return
  const value = parseJson(text)
  if (value !== undefined) {
    search(value, address, finds)
    return
  }
  if (!isWhole) return
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const values = lines.map(parseJson)
  if (values.includes(undefined)) return
  search(values, address, finds)
}

/** Looks for recordings in a value of any shape, down to the texts in it. */
function search(value: unknown, address: string, finds: Finds): void {
  if (typeof value === 'string') {
    if (value.length > 1) searchText(value, address, finds, false)
    return
  }
  if (value instanceof Uint8Array) {
    const isZipped = value[0] === 0x1f && value[1] === 0x8b
    try {
      const bytes = isZipped ? gunzipSync(value) : Buffer.from(value)
      searchText(bytes.toString('utf8'), address, finds, false)
    } catch {
      // Neither text nor gzip: no recording.
    }
    return
  }
  if (Array.isArray(value)) {
    const format = value.length > 1 || !isObject(value[0]) ? formatOfEvents(value) : null
    const events = value.filter(isObject)
    if (format && events.length === value.length) {
      finds.addEvents(format, events)
      return
    }
    for (const one of value) search(one, address, finds)
    return
  }
  if (!isObject(value)) return
  const known = recognizeBody(value, address)
  if (known && known.kind !== 'event') {
    finds.add(known.format, known.kind, value)
    return
  }
  const here = addressOf(value, address)
  for (const one of Object.values(value)) search(one, here, finds)
}

function readFile(path: string, finds: Finds): void {
  const text = readFileSync(path, 'utf8')
  if (!/\.ya?ml$/.test(path)) {
    searchText(text, '', finds, true)
    return
  }
  const documents = parseAllDocuments(text, { logLevel: 'silent' })
  if (!Array.isArray(documents)) return
  for (const document of documents) search(document.toJS({ maxAliasCount: -1 }), '', finds)
}

/** All that a folder holds, of whatever layout; `skipped` are files that are too large or cannot be read. */
export function findRecordings(folder: string): {
  recordings: readonly Recording[]
  skipped: readonly string[]
} {
  const finds = new Finds()
  const skipped: string[] = []
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:json|jsonl|sse|txt|ya?ml)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  for (const path of files) {
    finds.file = relative(folder, path)
    try {
      if (statSync(path).size > LARGEST_FILE) skipped.push(`${finds.file}: over 12 MiB`)
      else readFile(path, finds)
    } catch (error) {
      skipped.push(`${finds.file}: ${error instanceof Error ? error.message : error}`)
    }
  }
  return { recordings: finds.recordings, skipped }
}
