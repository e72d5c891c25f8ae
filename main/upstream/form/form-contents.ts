import { createHash } from 'node:crypto'
import type { GatewayError } from '../../base/errors.ts'
import { fieldRefusal } from '../../base/field-refusal.ts'
import type { BodyRule } from '../../base/sentences/body-rules.ts'
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

const refused = (field: string, rule: BodyRule): GatewayError =>
  fieldRefusal(field.length > 100 ? `${field.slice(0, 100)}…` : field, rule)

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
      throw refused(this.#rules.files[0] ?? 'file', 'form_file_missing')
    }
    this.#rules.check?.(Object.fromEntries(this.fields))
  }

  #check({ name, filename }: PartHead): void {
    this.#rules.checkName?.(name)
    const isFile = filename !== null
    const { files, fields } = this.#limits
    const before = this.parts.filter((one) => (one.filename !== null) === isFile).length
    if (before >= (isFile ? files : fields)) {
      throw refused(
        name,
        isFile
          ? { code: 'form_files_too_many', most: files }
          : { code: 'form_fields_too_many', most: fields },
      )
    }
    if (isFile && this.#rules.single.includes(name)) {
      throw refused(name, 'form_field_as_file')
    }
    if (!isFile && this.#rules.files.includes(name)) {
      throw refused(name, 'form_file_as_text')
    }
    const isRepeated = this.parts.some((one) => one.name === name)
    if (isRepeated && this.#rules.single.includes(name)) {
      throw refused(name, 'form_field_twice')
    }
  }

  async #readFile(part: KnownPart, bytes: AsyncIterable<Buffer>): Promise<void> {
    const hash = createHash('sha256')
    for await (const chunk of bytes) {
      part.size += chunk.length
      hash.update(chunk)
    }
    if (part.size === 0) throw refused(part.name, 'form_file_empty')
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
        const mebibytes = fieldBytes / MEBIBYTE
        throw refused(part.name, { code: 'form_field_long', mebibytes })
      }
      chunks.push(Buffer.from(chunk))
    }
    const values = this.fields.get(part.name) ?? []
    values.push(decodeText(part, Buffer.concat(chunks)))
    this.fields.set(part.name, values)
    this.#onChange()
  }
}
