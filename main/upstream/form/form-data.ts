import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { GatewayError } from '../../base/errors.ts'
import { FormContents, type FormLimits, type FormRules, type KnownFile } from './form-contents.ts'
import { readParameterHeader } from './form-header.ts'
import { readParts } from './form-parts.ts'
import { type FileName, FormRewriting, fileHead, needsName, textHead } from './form-rewriting.ts'
import { Spool } from './spool.ts'

const MEBIBYTE = 1024 * 1024

const usualLimits: FormLimits = {
  bytes: 64 * MEBIBYTE,
  files: 32,
  fields: 256,
  fieldBytes: MEBIBYTE,
}

export interface FormOptions extends FormRules {
  /** Where not given: 64 MiB, 32 files, 256 text fields of 1 MiB each. */
  limits?: Partial<FormLimits>
  /** Bytes that will come, where the sender says so. */
  contentLength?: number | null
  /** Where a temporary file may be made; the system's folder for them when left out. */
  folder?: string
}

/**
 * A file of a form. Its name is the client's own, with the extension that its first bytes tell where it has
 * none; its type likewise, `application/octet-stream` where nothing tells it.
 */
export interface FormFile extends FileName {
  /** `file`, `image[]`. */
  field: string
  /** In bytes; never 0. */
  size: number
  bytes(): Promise<Buffer>
}

/** A file for a form of the gateway's own. */
interface OwnFile extends FileName {
  field: string
  bytes: Buffer
}

/** A form as the body of one call to an upstream. */
export interface OutgoingForm {
  contentType: string
  /** Null where it is not known yet. */
  contentLength: number | null
  /**
   * Can be read once. Throws what is wrong with the form, also when a part of it has gone out. A piece stays
   * as it is until 15 more have been asked for, which is longer than a connection keeps it.
   */
  bytes: AsyncIterable<Buffer>
  /** Its fields and files so far; a file is known when it has come whole. */
  facts(): FormFacts
}

/** Text fields with their values, and files without their bytes. */
interface FormFacts {
  fields: Readonly<Record<string, readonly string[]>>
  files: readonly Omit<KnownFile, 'index'>[]
}

/** Somebody who waits for a part of the form. */
interface Waiting {
  /** Answers when it can; false when it cannot yet. */
  look(): boolean
  reject(error: GatewayError): void
}

function boundaryOf(contentType: string): string {
  const { value, parameters } = readParameterHeader(contentType)
  if (value !== 'multipart/form-data') {
    throw new GatewayError('unsupported_media_type', {
      message: 'Content-Type: must be multipart/form-data with its boundary.',
      reason: { code: 'form_type_missing' },
      field: 'content-type',
    })
  }
  const boundary = parameters.get('boundary') ?? ''
  if (boundary !== '' && boundary.length <= 200) return boundary
  throw new GatewayError('invalid_request', {
    message:
      boundary === ''
        ? 'Content-Type: has no boundary. Leave this header to the library that writes the form.'
        : 'Content-Type: the boundary is longer than 200 characters.',
    reason: { code: boundary === '' ? 'form_boundary_missing' : 'form_boundary_long' },
    field: 'content-type',
  })
}

/**
 * A form (multipart/form-data) that its client may still be sending: read once, kept in bounded memory and
 * then in a temporary file, so that it can be sent to one upstream after the other. No file is ever a text.
 */
export class FormBody {
  readonly #contentType: string
  readonly #boundary: string
  readonly #contentLength: number | null
  readonly #source: Readable
  readonly #spool: Spool
  readonly #contents: FormContents
  #ending: GatewayError | 'end' | null = null
  #waiting: Waiting[] = []

  private constructor(source: Readable, contentType: string, options: FormOptions) {
    const limits = { ...usualLimits, ...options.limits }
    this.#contentType = contentType
    this.#boundary = boundaryOf(contentType)
    this.#contentLength = options.contentLength ?? null
    this.#source = source
    this.#spool = new Spool(options.folder ?? tmpdir())
    this.#contents = new FormContents(options, limits, () => this.#changed())
    void this.#keep(limits.bytes)
    void this.#look()
  }

  /**
   * Begins to read at once, and goes on whether or not anybody takes the bytes. Throws
   * `unsupported_media_type` or `invalid_request` for a content-type that names no form or no boundary;
   * what is wrong with the form itself is told by the other methods.
   */
  static open(source: Readable, contentType: string, options: FormOptions): FormBody {
    try {
      return new FormBody(source, contentType, options)
    } catch (error) {
      source.destroy()
      throw error
    }
  }

  /** A form of the gateway's own. */
  static of(
    fields: Readonly<Record<string, string | readonly string[]>>,
    files: readonly OwnFile[],
  ): FormBody {
    const writing = new FormRewriting({}, [])
    const pieces: Buffer[] = []
    for (const [name, value] of Object.entries(fields)) {
      for (const text of [value].flat()) {
        pieces.push(writing.part(textHead(name)).head, Buffer.from(text))
      }
    }
    for (const file of files) {
      pieces.push(writing.part(fileHead(file.field, file)).head, file.bytes)
    }
    pieces.push(writing.end())
    return new FormBody(Readable.from(pieces), writing.contentType, {
      files: files.map((file) => file.field),
      single: [],
    })
  }

  /**
   * A text field's first value, undefined when the whole form has none. Known as soon as it has been read
   * and the first file has begun, for only then it shows whether that file can be sent on as it is. Where
   * all bytes have come already, the form is looked at to its end first, so that its length is known then.
   */
  field(name: string): Promise<string | undefined> {
    return this.#when(() => {
      const value = this.#contents.fields.get(name)?.[0]
      const hasCome = this.#spool.size === this.#contentLength
      const isKnown = value !== undefined && this.#contents.hasFile && !hasCome
      return isKnown || this.#ending === 'end' ? { value } : null
    })
  }

  /** All of it, when it has come; rejects with what is wrong with it. */
  whole(): Promise<{
    fields: Readonly<Record<string, readonly string[]>>
    files: readonly FormFile[]
  }> {
    return this.#when(() => {
      if (this.#ending !== 'end') return null
      const files = this.#contents.files.map(({ index, ...file }) => ({
        ...file,
        bytes: () => this.#bytesOf(index, file.size),
      }))
      return { value: { fields: Object.fromEntries(this.#contents.fields), files } }
    })
  }

  /**
   * The form for an upstream with these text fields replaced; may be asked for again for each attempt.
   * Where nothing is to be changed, the client's own bytes under its own content-type; else written anew,
   * part by part as they come. A file whose name has no extension, where its bytes tell one, is a change
   * too, because vendors choose the decoder by it; of a form that is still coming, the files that have
   * begun are looked at.
   */
  outgoing(replaced: Readonly<Record<string, string>>): OutgoingForm {
    const { fields, parts } = this.#contents
    const facts = () => this.#factsWith(replaced)
    const isWhole = this.#ending === 'end'
    const names = Object.keys(replaced)
    const isSame = names.every((name) => {
      const values = fields.get(name)
      return values?.length === 1 && values[0] === replaced[name]
    })
    if (isSame && !parts.some(needsName)) {
      const contentLength = isWhole ? this.#spool.size : this.#contentLength
      return {
        contentType: this.#contentType,
        contentLength,
        bytes: this.#unchanged(contentLength ?? Number.POSITIVE_INFINITY),
        facts,
      }
    }
    const missing = names.filter((name) => !fields.has(name))
    const writing = new FormRewriting(replaced, missing)
    const { contentType, boundary } = writing
    return {
      contentType,
      contentLength: isWhole ? new FormRewriting(replaced, missing, boundary).length(parts) : null,
      bytes: this.#rewritten(writing),
      facts,
    }
  }

  /** Its fields and files so far; a file is known when it has come whole. */
  get facts(): FormFacts {
    const { fields, files } = this.#contents
    return { fields: Object.fromEntries(fields), files }
  }

  #factsWith(replaced: Readonly<Record<string, string>>): FormFacts {
    const { fields, files } = this.facts
    const changed = Object.entries(replaced).map(([name, value]) => [name, [value]])
    return { fields: { ...fields, ...Object.fromEntries(changed) }, files }
  }

  /** The form's problem, once known: no upstream can get it any more. */
  get failure(): GatewayError | null {
    return this.#ending instanceof GatewayError ? this.#ending : null
  }

  /** Ends reading and removes what was kept. Safe to call twice. */
  async close(): Promise<void> {
    this.#source.destroy()
    await this.#spool.close()
  }

  /** The client's own bytes. No upstream gets the last of them before the form is known to be right. */
  async *#unchanged(length: number): AsyncGenerator<Buffer, void, undefined> {
    let left = length
    try {
      for await (const piece of this.#spool.read()) {
        left -= piece.length
        if (left <= 0) await this.whole()
        yield piece
      }
      await this.whole()
    } catch (error) {
      // Two readers can find the same fault: it is one error.
      await this.whole()
      throw error
    }
  }

  async *#rewritten(writing: FormRewriting): AsyncGenerator<Buffer, void, undefined> {
    const whole = () => this.whole()
    try {
      yield* writing.bytes(readParts(this.#spool.read(), this.#boundary), whole)
    } catch (error) {
      // Two readers can find the same fault: it is one error.
      await whole()
      throw error
    }
  }

  /** Keeps the bytes as they come, faster than their reader if need be. */
  async #keep(limit: number): Promise<void> {
    try {
      for await (const chunk of this.#source) {
        const full = this.#spool.append(chunk)
        if (this.#spool.size > limit) {
          throw new GatewayError('payload_too_large', {
            message: `The form is larger than ${limit / MEBIBYTE} MiB.`,
            reason: { code: 'form_too_large', mebibytes: limit / MEBIBYTE },
          })
        }
        if (full) await full
      }
      this.#spool.end()
    } catch (cause) {
      this.#spool.fail(
        cause instanceof GatewayError
          ? cause
          : new GatewayError('client_gone', {
              message: 'The client left while sending.',
              reason: { code: 'client_left_sending' },
              cause,
            }),
      )
    }
  }

  /** Looks at what the form holds as it comes. */
  async #look(): Promise<void> {
    try {
      await this.#contents.read(readParts(this.#spool.read(), this.#boundary))
      this.#ending = 'end'
      this.#changed()
    } catch (cause) {
      const failure =
        cause instanceof GatewayError
          ? cause
          : new GatewayError('internal', {
              message: 'The form could not be read.',
              reason: { code: 'form_unreadable' },
              cause,
            })
      this.#ending = failure
      this.#spool.fail(failure)
      this.#source.destroy()
      for (const { reject } of this.#waiting) reject(failure)
      this.#waiting = []
    }
  }

  async #bytesOf(index: number, size: number): Promise<Buffer> {
    const whole = Buffer.allocUnsafe(size)
    let number = 0
    let at = 0
    for await (const part of readParts(this.#spool.read(), this.#boundary)) {
      if (number++ < index) continue
      for await (const chunk of part.bytes) at += chunk.copy(whole, at)
      return whole
    }
    return whole
  }

  /** Resolves with what `find` gives as soon as it gives something; rejects when the form is wrong. */
  #when<Value>(find: () => { value: Value } | null): Promise<Value> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = find()
        if (found) resolve(found.value)
        return found !== null
      }
      if (this.#ending instanceof GatewayError) reject(this.#ending)
      else if (!look()) this.#waiting.push({ look, reject })
    })
  }

  #changed(): void {
    this.#waiting = this.#waiting.filter((one) => !one.look())
  }
}
