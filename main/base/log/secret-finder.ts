const INSTEAD = Buffer.from('***')
const BACKSLASH = 0x5c
const SMALL_U = 0x75
/** How an ASCII character is escaped in JSON, but for its last two digits. */
const ESCAPE = Buffer.from('\\u00')
const ESCAPED_SLASH = Buffer.from('\\/')
/** Bytes of `\u0041` in a JSON text that itself stands in one: the most that one character takes. */
const LONGEST_FORM = 7

/** Results of `#match` where the secret is absent, or cut by the end of the bytes. */
const NONE = -1
const CUT = -2

/** Value of each byte as a digit of an escape; 16 for others. */
const hexDigits = new Uint8Array(256).fill(16)
for (const [digit, byte] of Buffer.from('0123456789abcdef').entries()) hexDigits[byte] = digit
for (const [digit, byte] of Buffer.from('ABCDEF').entries()) hexDigits[byte] = digit + 10

const hexDigit = (bytes: Buffer, at: number): number => hexDigits[bytes[at] as number] as number

/**
 * Finds one secret in bytes of any encoding that has ASCII: as it is, or with any of its characters as an escape of
 * JSON (`\u0073`, `\/`). All bytes are looked through by `Buffer.indexOf`; only around escapes that may belong to the
 * secret is it looked for character by character, and there once.
 */
export class SecretFinder {
  readonly #secret: Buffer
  /** By byte: may a text that ends with it have the beginning of the secret at its end? */
  readonly #mayEnd = new Uint8Array(256)
  readonly #isIn = new Uint8Array(256)
  readonly #marks: readonly Buffer[]

  constructor(secret: string) {
    this.#secret = Buffer.from(secret)
    for (const byte of this.#secret) this.#isIn[byte] = 1
    this.#mayEnd.set(this.#isIn)
    for (const byte of Buffer.from('\\u0123456789abcdefABCDEF')) this.#mayEnd[byte] = 1
    this.#marks = secret.includes('/') ? [ESCAPE, ESCAPED_SLASH] : [ESCAPE]
  }

  /**
   * Is this text long and odd enough to be taken out of answers? Local servers are given words like `not-needed` or
   * `lm-studio` for a key, and an answer may well speak of these.
   */
  static isSecret(text: string): boolean {
    return text.length >= 20 || (text.length >= 12 && /\d/.test(text))
  }

  /** The bytes with `***` wherever the secret stood; the very same where it did not. */
  replace(bytes: Buffer): Buffer {
    let redacted = this.#replacePlain(bytes)
    for (const mark of this.#marks) redacted = this.#replaceEscaped(redacted, mark)
    return redacted
  }

  isIn(bytes: Buffer): boolean {
    return this.replace(bytes) !== bytes
  }

  /** Where the secret begins whose rest is still to come, if it is one; the length of the bytes where none does. */
  cutAt(bytes: Buffer): number {
    const { length } = bytes
    if (length === 0 || !this.#mayEnd[bytes[length - 1] as number]) return length
    for (let at = this.#windowBefore(length); at < length; at++) {
      if (this.#match(bytes, at) === CUT) return at
    }
    return length
  }

  /** Is what `cutAt` has found so much of the secret that it must not be told, should nothing follow? */
  isTelling(length: number): boolean {
    return length * 2 >= this.#secret.length
  }

  /** Is it a character of the secret whose escape begins here? */
  #isEscaped(bytes: Buffer, at: number): boolean {
    if (at + 5 >= bytes.length) return false
    return this.#isIn[hexDigit(bytes, at + 4) * 16 + hexDigit(bytes, at + 5)] === 1
  }

  #windowBefore(at: number): number {
    return Math.max(0, at - this.#secret.length * LONGEST_FORM)
  }

  #replacePlain(bytes: Buffer): Buffer {
    let at = bytes.indexOf(this.#secret)
    if (at < 0) return bytes
    const pieces: Buffer[] = []
    let from = 0
    for (; at >= 0; at = bytes.indexOf(this.#secret, from)) {
      pieces.push(bytes.subarray(from, at), INSTEAD)
      from = at + this.#secret.length
    }
    pieces.push(bytes.subarray(from))
    return Buffer.concat(pieces)
  }

  #replaceEscaped(bytes: Buffer, mark: Buffer): Buffer {
    let at = bytes.indexOf(mark)
    if (at < 0) return bytes
    const pieces: Buffer[] = []
    let from = 0
    /** No secret begins before it: no place is tried twice. */
    let tried = 0
    while (at >= 0) {
      let end = NONE
      if (mark !== ESCAPE || this.#isEscaped(bytes, at)) {
        let begin = Math.max(tried, this.#windowBefore(at))
        for (; begin <= at && end < 0; begin++) end = this.#match(bytes, begin)
        tried = begin
        if (end >= 0) {
          pieces.push(bytes.subarray(from, begin - 1), INSTEAD)
          from = end
          tried = end
        }
      }
      at = bytes.indexOf(mark, Math.max(at + 1, from))
    }
    if (from === 0) return bytes
    pieces.push(bytes.subarray(from))
    return Buffer.concat(pieces)
  }

  /** Where the secret ends that begins here. */
  #match(bytes: Buffer, from: number): number {
    let at = from
    const secret = this.#secret
    for (let index = 0; index < secret.length; index++) {
      const wanted = secret[index] as number
      if (at >= bytes.length) return CUT
      if (bytes[at] === wanted) {
        at++
        continue
      }
      if (bytes[at] !== BACKSLASH) return NONE
      // A JSON text within a JSON text has its backslashes doubled.
      at += bytes[at + 1] === BACKSLASH ? 2 : 1
      if (at >= bytes.length) return CUT
      if (bytes[at] !== SMALL_U) {
        if (bytes[at] !== wanted) return NONE
        at++
        continue
      }
      for (let digit = 1; digit <= 4; digit++) {
        if (at + digit >= bytes.length) return CUT
        if (hexDigit(bytes, at + digit) !== ((wanted >> (16 - digit * 4)) & 15)) return NONE
      }
      at += 5
    }
    return at
  }
}
