import { GatewayError } from '../../base/errors.ts'
import { readArguments } from '../json/exact-json.ts'

/** Up to here the text of a call is held, in UTF-16 units. */
const MOST_HELD = 16 * 1024 * 1024

/** Some models fall into writing white space for ever. */
const LONGEST_OPENING = 1024
const OPENING = '{"input":"'
const opening = /^\s*\{\s*"input"\s*:\s*"/
/** Stands behind a backslash: what it means. */
const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Free text for a tool, as the arguments of the function that stands for it. */
export const wrapInput = (input: string): string => JSON.stringify({ input })

const tooMuchHeld = (): GatewayError =>
  new GatewayError('upstream_invalid', {
    message: 'The upstream sent a tool call of more than 16 MiB.',
    reason: { code: 'upstream_call_long', mebibytes: 16 },
  })

/**
 * Takes the free text out of `{"input": "…"}` while it is being written, wherever the pieces are cut. What
 * does not begin like that is held to its end: then it is an object with `input` somewhere, or the model
 * did not follow the form and its words are the text themselves.
 */
export class FreeformInput {
  #state: 'opening' | 'inside' | 'behind' | 'unknown' = 'opening'
  #held = ''
  /** First half of a character of two, whose second is still to come. */
  #half = ''

  /** The text that can be passed on by now; often none. */
  push(piece: string): string {
    if (this.#state === 'behind') return ''
    if (this.#held.length + piece.length > MOST_HELD) throw tooMuchHeld()
    this.#held += piece
    if (this.#state === 'opening') this.#open()
    return this.#state === 'inside' ? this.#wholeCharacters(this.#read()) : ''
  }

  /** The rest; nothing may be pushed after it. */
  end(): string {
    // Half an escape is left out, half a character told as it is.
    if (this.#state === 'inside') return this.#half
    if (this.#state === 'behind' || this.#held.trim() === '') return ''
    const { value, isRaw } = readArguments(this.#held, true)
    if (!isRaw && typeof value.input === 'string') return value.input
    return !isRaw && Object.keys(value).length === 0 ? '' : this.#held
  }

  #open(): void {
    const start = opening.exec(this.#held)
    if (start) {
      this.#state = 'inside'
      this.#held = this.#held.slice(start[0].length)
    } else if (
      this.#held.length > LONGEST_OPENING ||
      !OPENING.startsWith(this.#held.replace(/\s+/g, ''))
    ) {
      this.#state = 'unknown'
    }
  }

  #read(): string {
    const held = this.#held
    let text = ''
    let index = 0
    while (index < held.length) {
      const special = nextSpecial(held, index)
      text += held.slice(index, special)
      index = special
      if (held[index] === '"') {
        this.#state = 'behind'
        this.#held = ''
        return text
      }
      if (held[index] !== '\\') continue
      const length = held[index + 1] === 'u' ? 6 : 2
      if (index + length > held.length) break
      text += unescaped(held.slice(index, index + length))
      index += length
    }
    this.#held = held.slice(index)
    return text
  }

  /** No piece may end within a character: written as bytes, both halves would be lost. */
  #wholeCharacters(piece: string): string {
    const text = this.#half + piece
    const isHalf = /[\ud800-\udbff]$/.test(text.slice(-1)) && this.#state === 'inside'
    this.#half = isHalf ? text.slice(-1) : ''
    return isHalf ? text.slice(0, -1) : text
  }
}

function nextSpecial(text: string, from: number): number {
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x22 || code === 0x5c) return index
  }
  return text.length
}

/** Meaning of an escape (`\n`, `\u00e9`); one that JSON does not know, for what it reads. */
function unescaped(sequence: string): string {
  const char = sequence[1] ?? ''
  if (char !== 'u') return escapes[char] ?? char
  const digits = sequence.slice(2)
  return /^[\da-fA-F]{4}$/.test(digits)
    ? String.fromCharCode(Number.parseInt(digits, 16))
    : sequence
}
