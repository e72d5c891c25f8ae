import { Dicer } from '@fastify/busboy'
import { GatewayError } from '../../base/errors.ts'
import { fieldRefusal } from '../../base/field-refusal.ts'
import type { Reason } from '../../base/reason.ts'
import { SNIFFED_BYTES } from './form-file-kind.ts'
import { readParameterHeader } from './form-header.ts'

/** The head of a form's part. */
export interface PartHead {
  /** The field. */
  name: string
  /** Null for a text field; may be empty. */
  filename: string | null
  /** As the part says it, with its parameters; null where it says nothing. */
  contentType: string | null
  /** All lines by name in small letters, one byte a character, as they came. */
  headers: Readonly<Record<string, readonly string[]>>
  /** The first 64 bytes, or all when there are fewer. */
  beginning: Buffer
}

/** A part on its way. Its bytes can be read once, before the next part is asked for. */
export interface FormPart extends PartHead {
  bytes: AsyncIterable<Buffer>
}

const HEADER_LINES = 32
const HEADER_BYTES = 16 * 1024

const invalid = (message: string, reason: Reason, field?: string) =>
  new GatewayError('invalid_request', { message, reason, ...(field !== undefined && { field }) })

/** Bytes of one part that were parsed and not yet taken. */
interface Arriving {
  headers: Record<string, string[]> | null
  chunks: Buffer[]
  isOver: boolean
}

function beginningOf({ chunks }: Arriving): Buffer {
  const pieces = chunks.slice(0, SNIFFED_BYTES).map((chunk) => chunk.subarray(0, SNIFFED_BYTES))
  return Buffer.concat(pieces).subarray(0, SNIFFED_BYTES)
}

/** Reads one part's head; throws where it has none, no name, or too much. */
function headOf(headers: Record<string, string[]> | null): Omit<PartHead, 'beginning'> {
  const lines = Object.entries(headers ?? {}).flatMap(([name, values]) =>
    values.map((value) => name.length + value.length + 4),
  )
  const bytes = lines.reduce((sum, length) => sum + length, 0)
  if (lines.length > HEADER_LINES || bytes > HEADER_BYTES) {
    const kibibytes = HEADER_BYTES / 1024
    throw invalid(
      `A part of the form has too large a head: at most ${HEADER_LINES} lines and ${kibibytes} KiB are taken.`,
      { code: 'form_head_large', lines: HEADER_LINES, kibibytes },
    )
  }
  const dispositions = headers?.['content-disposition'] ?? []
  const { value, parameters, unclear } = readParameterHeader(dispositions[0] ?? '')
  const name = parameters.get('name')
  if (!headers || value !== 'form-data' || name === undefined) {
    throw invalid(
      'A part of the form does not say its field: each one starts with a line like Content-Disposition: form-data; name="model".',
      { code: 'form_part_unnamed' },
    )
  }
  if (dispositions.length > 1 || unclear.has('name')) {
    throw fieldRefusal(name, 'form_field_named_twice')
  }
  return {
    name,
    filename: parameters.get('filename') ?? null,
    contentType: headers['content-type']?.[0]?.trim() || null,
    headers,
  }
}

class PartReader {
  readonly #source: AsyncIterator<Buffer>
  readonly #boundary: string
  readonly #dicer: Dicer
  readonly #parts: Arriving[] = []
  #found = 0
  #isClosed = false
  #isOver = false

  constructor(source: AsyncIterable<Buffer>, boundary: string) {
    this.#source = source[Symbol.asyncIterator]()
    this.#boundary = boundary
    // A little more than is taken, so that too much shows. The parser never pauses: what it is fed is
    // measured out here, and a pause within the last part would never end.
    const options = {
      boundary: Buffer.from(boundary, 'utf8').toString('latin1'),
      maxHeaderPairs: HEADER_LINES + 1,
      maxHeaderSize: HEADER_BYTES + 4096,
      partHwm: Number.MAX_SAFE_INTEGER,
    }
    this.#dicer = new Dicer(options)
    this.#dicer.on('part', (stream) => {
      const part: Arriving = { headers: null, chunks: [], isOver: false }
      this.#found++
      this.#parts.push(part)
      stream.on('header', (headers) => {
        part.headers = headers as Record<string, string[]>
      })
      stream.on('data', (chunk) => part.chunks.push(chunk as Buffer))
      stream.on('end', () => {
        part.isOver = true
      })
      // That it is cut is said of the form as a whole.
      stream.on('error', () => {})
    })
    let isCut = false
    this.#dicer.on('error', () => {
      isCut = true
    })
    this.#dicer.on('finish', () => {
      this.#isClosed = !isCut
    })
  }

  async *parts(): AsyncGenerator<FormPart, void, undefined> {
    try {
      for (;;) {
        while (this.#parts.length === 0) {
          if (this.#isOver) return
          await this.#feed()
        }
        const part = this.#parts[0] as Arriving
        while (part.headers === null && !part.isOver) await this.#feed()
        const head = headOf(part.headers)
        while (!part.isOver && beginningOf(part).length < SNIFFED_BYTES) await this.#feed()
        const bytes = this.#bytes(part)
        yield { ...head, beginning: beginningOf(part), bytes }
        for await (const _ of bytes);
        this.#parts.shift()
      }
    } finally {
      await this.#source.return?.()
    }
  }

  async *#bytes(part: Arriving): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const chunk = part.chunks.shift()
      if (chunk) yield chunk
      else if (part.isOver) return
      else await this.#feed()
    }
  }

  /** One more piece of the source; throws when there is none although the form is not closed. */
  async #feed(): Promise<void> {
    if (this.#isOver) throw this.#cut()
    const { done, value } = await this.#source.next()
    // Behind the closing boundary may stand anything; the parser takes no more of it.
    if (!done && this.#dicer.writable) this.#dicer.write(value)
    if (done) {
      this.#isOver = true
      if (this.#dicer.writable) this.#dicer.end()
    }
    // The parser's streams tell what they have in later ticks, which all come before this goes on.
    await new Promise<void>((resolve) => process.nextTick(resolve))
    if (done && !this.#isClosed) throw this.#cut()
  }

  #cut(): GatewayError {
    const line = `--${this.#boundary}`
    return this.#found === 0
      ? invalid(
          `The body is not the form that its content-type announces: no line "${line}" was found in it.`,
          { code: 'form_boundary_unfound', line },
          'content-type',
        )
      : invalid(`The form is cut: its closing line "${line}--" is missing. Send it again.`, {
          code: 'form_cut',
          line: `${line}--`,
        })
  }
}

/**
 * The parts of a form (RFC 7578) in their order while the bytes come; `boundary` as the content-type names
 * it. Throws `invalid_request` for what is no form, one that is cut, and a part without a name.
 */
export async function* readParts(
  source: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<FormPart, void, undefined> {
  yield* new PartReader(source, boundary).parts()
}
