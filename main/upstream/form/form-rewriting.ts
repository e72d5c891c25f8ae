import { randomBytes } from 'node:crypto'
import { type FileKind, fileKind } from './form-file-kind.ts'
import { quotable, readParameterHeader } from './form-header.ts'
import type { FormPart, PartHead } from './form-parts.ts'

const UNKNOWN_TYPE = 'application/octet-stream'

/** Header of a file's part, for the reader of the file. */
export interface FileName {
  filename: string
  contentType: string
}

const isGenericType = (contentType: string | null) =>
  contentType === null || readParameterHeader(contentType).value === UNKNOWN_TYPE

/** Vendors choose the decoder by the extension: a name without one, where the bytes tell which it is. */
function missingKind(part: PartHead): FileKind | null {
  if (part.filename === null || /\.[a-z0-9]{1,8}$/i.test(part.filename)) return null
  return fileKind(part.beginning)
}

/** A form with this part cannot be passed on as it came. */
export const needsName = (part: PartHead): boolean => missingKind(part) !== null

/**
 * The name and type of a file: its client's own, with the extension that its first bytes tell where there
 * is none, and the type that they tell where there is none or `application/octet-stream`.
 */
export function fileName(part: PartHead): FileName {
  const missing = missingKind(part)
  const { filename } = part
  const sniffed = isGenericType(part.contentType) ? fileKind(part.beginning)?.contentType : null
  return {
    filename: missing ? `${filename || 'file'}.${missing.extension}` : (filename ?? ''),
    contentType: sniffed ?? part.contentType ?? UNKNOWN_TYPE,
  }
}

/** A line of a part's head as browsers and most servers write its name. */
const headerLine = (name: string, value: string) =>
  `${name.replace(/(^|-)[a-z]/g, (one) => one.toUpperCase())}: ${value}\r\n`

/** The head of a file's part; texts as they are. */
export function fileHead(field: string, { filename, contentType }: FileName): string {
  const disposition = `form-data; name="${quotable(field)}"; filename="${quotable(filename)}"`
  const type = contentType.replace(/[\r\n]/g, ' ')
  return headerLine('content-disposition', disposition) + headerLine('content-type', type)
}

/** The head of a text field's part. */
export const textHead = (field: string): string =>
  headerLine('content-disposition', `form-data; name="${quotable(field)}"`)

/** The head's lines as they came, without those named. */
const linesOf = (part: PartHead, without: readonly string[]) =>
  Object.entries(part.headers)
    .filter(([name]) => !without.includes(name))
    .flatMap(([name, values]) => values.map((value) => headerLine(name, value)))
    .join('')

/** One part as it goes out: what stands before its bytes, and its bytes where they are others. */
interface Written {
  head: Buffer
  text: Buffer | null
}

/** Writes a form anew under a boundary of its own, once. */
export class FormRewriting {
  readonly boundary: string
  readonly #replaced: Readonly<Record<string, string>>
  /** Replaced fields that have been written. */
  readonly #written = new Set<string>()
  readonly #missing: readonly string[]
  #hasBegun = false

  /**
   * `replaced` are the new values of text fields, each written where its field first stands; those named
   * in `missing`, which the form does not hold as far as it is known, stand before all others.
   */
  constructor(
    replaced: Readonly<Record<string, string>>,
    missing: readonly string[],
    boundary = `form-${randomBytes(18).toString('hex')}`,
  ) {
    this.#replaced = replaced
    this.#missing = missing
    this.boundary = boundary
  }

  /** A part with these lines as its head, one byte a character, and its text where it has one. */
  part(head: string, text?: string): Written {
    const line = `${this.#hasBegun ? '\r\n' : ''}--${this.boundary}\r\n`
    this.#hasBegun = true
    return {
      head: Buffer.from(`${line}${head}\r\n`, 'latin1'),
      text: text === undefined ? null : Buffer.from(text, 'utf8'),
    }
  }

  get contentType(): string {
    return `multipart/form-data; boundary=${this.boundary}`
  }

  /** The fields that the form lacks. */
  begin(): Buffer {
    return Buffer.concat(
      this.#missing.map((name) => {
        this.#written.add(name)
        const { head, text } = this.part(textHead(name), this.#replaced[name])
        return Buffer.concat([head, text ?? Buffer.alloc(0)])
      }),
    )
  }

  /** Bytes sent for a part; null for one that has been replaced already. */
  next(part: PartHead): Written | null {
    const { name } = part
    if (part.filename !== null) {
      const head = needsName(part)
        ? fileHead(name, fileName(part)) + linesOf(part, ['content-disposition', 'content-type'])
        : linesOf(part, [])
      return this.part(head)
    }
    if (!Object.hasOwn(this.#replaced, name)) return this.part(linesOf(part, []))
    if (this.#written.has(name)) return null
    this.#written.add(name)
    // A length or an encoding of the old text would be wrong for the new one.
    const head = linesOf(part, ['content-length', 'content-transfer-encoding', 'content-type'])
    return this.part(head, this.#replaced[name])
  }

  end(): Buffer {
    return Buffer.from(`${this.#hasBegun ? '\r\n' : ''}--${this.boundary}--\r\n`)
  }

  /** All bytes of the new form, while those of the old one come; the last ones when `approved` resolves. */
  async *bytes(
    parts: AsyncIterable<FormPart>,
    approved: () => Promise<unknown>,
  ): AsyncGenerator<Buffer, void, undefined> {
    const beginning = this.begin()
    if (beginning.length > 0) yield beginning
    for await (const part of parts) {
      const written = this.next(part)
      if (!written) continue
      yield written.text ? Buffer.concat([written.head, written.text]) : written.head
      if (!written.text) yield* part.bytes
    }
    await approved()
    yield this.end()
  }

  /** How many bytes the new form has, when all parts of the old one are known. */
  length(parts: readonly (PartHead & { size: number })[]): number {
    let length = this.begin().length
    for (const part of parts) {
      const written = this.next(part)
      if (written) length += written.head.length + (written.text?.length ?? part.size)
    }
    return length + this.end().length
  }
}
