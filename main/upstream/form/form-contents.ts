import { createHash } from 'node:crypto'
import { GatewayError } from '../../base/errors.ts'
import { readParameterHeader } from './form-header.ts'
import type { FormPart, PartHead } from './form-parts.ts'
import { type FileName, fileName } from './form-rewriting.ts'

/** Limits of a form. */
export interface FormLimits {
  /** Size of the whole form. */
  bytes: number
  files: number
  /** Text fields. */
  fields: number
  /** Bytes of one text field. */
  fieldBytes: number
}

/** Fields that a form must hold. */
export interface FormRules {
  /** One of these fields must be a file; each of them is one, never text. */
  files: readonly string[]
  /** Text fields that may stand once at most. */
  single: readonly string[]
  /** Throws what is wrong with a field's name, as soon as its part has begun. */
  checkName?(name: string): void
  /** Throws what else is wrong with the text fields, when all of them are known. */
  check?(fields: Readonly<Record<string, readonly string[]>>): void
}

/** A part that has begun. */
export interface KnownPart extends PartHead {
  /** Bytes received so far. */
  size: number
}

/** A file that has come whole. */
export interface KnownFile extends FileName {
  field: string
  size: number
  /** SHA-256, hex. */
  digest: string
  /** Its place among all parts. */
  index: number
}

const MEBIBYTE = 1024 * 1024

/** A refusal that names a form's field. */
function refused(field: string, message: string): GatewayError {
  const name = field.length > 100 ? `${field.slice(0, 100)}…` : field
  return new GatewayError('invalid_request', { message: `${name}: ${message}`, field: name })
}

/** A text field is UTF-8 unless its part names another charset. */
function decodeText(part: PartHead, bytes: Buffer): string {
  const charset = readParameterHeader(part.contentType ?? '').parameters.get('charset')
  try {
    return new TextDecoder(charset ?? 'utf-8', { ignoreBOM: true }).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}

/** Facts of a form so far. */
export class FormContents {
  /** Values of the text fields that have come whole. */
  readonly fields = new Map<string, string[]>()
  readonly files: KnownFile[] = []
  readonly parts: KnownPart[] = []
  readonly #rules: FormRules
  readonly #limits: FormLimits
  readonly #onChange: () => void

  /** `onChange` is called when a part has begun and when a text field has come whole. */
  constructor(rules: FormRules, limits: FormLimits, onChange: () => void) {
    this.#rules = rules
    this.#limits = limits
    this.#onChange = onChange
  }

  /** A file has begun. */
  get hasFile(): boolean {
    return this.parts.some((part) => part.filename !== null)
  }

  /** Reads all parts; throws `invalid_request` naming the field where the form breaks a rule. */
  async read(parts: AsyncIterable<FormPart>): Promise<void> {
    for await (const { bytes, ...head } of parts) {
      this.#check(head)
      const part: KnownPart = { ...head, size: 0 }
      this.parts.push(part)
      this.#onChange()
      if (head.filename === null) await this.#readText(part, bytes)
      else await this.#readFile(part, bytes)
    }
    if (this.files.length === 0) {
      throw refused(
        this.#rules.files[0] ?? 'file',
        'is missing. Send the file itself as a part of the form that has a filename.',
      )
    }
    this.#rules.check?.(Object.fromEntries(this.fields))
  }

  #check({ name, filename }: PartHead): void {
    this.#rules.checkName?.(name)
    const isFile = filename !== null
    const { files, fields } = this.#limits
    const before = this.parts.filter((one) => (one.filename !== null) === isFile).length
    if (before >= (isFile ? files : fields)) {
      const most = isFile ? `${files} files` : `${fields} text fields`
      throw refused(name, `is one too many: a form may have ${most}.`)
    }
    if (isFile && this.#rules.single.includes(name)) {
      throw refused(name, 'is sent as a file. Send it as a text field, without a filename.')
    }
    if (!isFile && this.#rules.files.includes(name)) {
      throw refused(name, 'is sent as text. Send the file itself, as a part that has a filename.')
    }
    const isRepeated = this.parts.some((one) => one.name === name)
    if (isRepeated && this.#rules.single.includes(name)) {
      throw refused(name, 'is in the form twice. Send it once.')
    }
  }

  async #readFile(part: KnownPart, bytes: AsyncIterable<Buffer>): Promise<void> {
    const hash = createHash('sha256')
    for await (const chunk of bytes) {
      part.size += chunk.length
      hash.update(chunk)
    }
    if (part.size === 0) throw refused(part.name, 'is an empty file.')
    const index = this.parts.length - 1
    const digest = hash.digest('hex')
    this.files.push({ field: part.name, ...fileName(part), size: part.size, digest, index })
  }

  async #readText(part: KnownPart, bytes: AsyncIterable<Buffer>): Promise<void> {
    const { fieldBytes } = this.#limits
    const chunks: Buffer[] = []
    for await (const chunk of bytes) {
      part.size += chunk.length
      if (part.size > fieldBytes) {
        throw refused(
          part.name,
          `is longer than a text field may be (${fieldBytes / MEBIBYTE} MiB).`,
        )
      }
      chunks.push(Buffer.from(chunk))
    }
    const values = this.fields.get(part.name) ?? []
    values.push(decodeText(part, Buffer.concat(chunks)))
    this.fields.set(part.name, values)
    this.#onChange()
  }
}
