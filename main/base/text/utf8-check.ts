import { isUtf8 } from 'node:buffer'

/** Length of the bytes without those at their end of a character that may go on in the next ones. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const code = bytes[bytes.length - back] as number
    if (code < 0x80) break
    if (code < 0xc0) continue
    const length = code >= 0xf0 ? 4 : code >= 0xe0 ? 3 : 2
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

const NO_BYTES = new Uint8Array(0)

/** Looks whether bytes that come in pieces are UTF-8. */
export class Utf8Check {
  #rest: Uint8Array = NO_BYTES
  isGood = true

  push(bytes: Uint8Array): void {
    if (!this.isGood) return
    const whole = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes
    const end = wholeCharacters(whole)
    this.isGood = isUtf8(whole.subarray(0, end))
    this.#rest = end === whole.length ? NO_BYTES : whole.slice(end)
  }

  /** A byte of ASCII comes next, or nothing. */
  end(): boolean {
    this.isGood &&= this.#rest.length === 0
    return this.isGood
  }
}
