import { invalidAnswer } from '../parse-answer.ts'

const NOTHING = Buffer.alloc(0)
/** A header that is longer than this is none. */
const LONGEST_HEADER = 64 * 1024
/** `RIFF`, a length, `WAVE`. */
const WAVE_START = 12
/** A name and a length. */
const CHUNK_START = 8
/** Placeholder for a length that was not known when the header was written. */
const UNKNOWN_LENGTH = 0xffffffff
const PCM = 1
const EXTENSIBLE = 0xfffe

/** How sound begins that is packed and no samples. */
const packed = ['ID3', 'OggS', 'fLaC', 'FORM']

/**
 * Samples (signed, 16 bits, little-endian, one channel) out of sound that comes in pieces: bare, or as a WAV
 * file, whose header is taken off. Only whole samples are given out.
 */
export class PcmReader {
  /** Samples a second: as the vendor says beside the bytes, or as a file's header says. */
  rate: number
  /** Bytes kept until their kind is clear; null from then on. */
  #start: Buffer | null = NOTHING
  /** Bytes of samples that are still to come. */
  #left = Number.POSITIVE_INFINITY
  #half: Buffer = NOTHING

  constructor(rate: number) {
    this.rate = rate
  }

  /** Throws `upstream_invalid` for sound in another form. */
  push(bytes: Buffer): Buffer {
    if (this.#start === null) return this.#samples(bytes)
    const start = Buffer.concat([this.#start, bytes])
    this.#start = start
    if (start.length < 4) return NOTHING
    const name = start.toString('latin1', 0, 4)
    if (packed.some((one) => name.startsWith(one))) {
      invalidAnswer('answer_packed_sound')
    }
    const from = name === 'RIFF' ? this.#readHeader(start) : 0
    if (from === null) return NOTHING
    this.#start = null
    return this.#samples(start.subarray(from))
  }

  /** Where the samples begin; null where more has to come before that is clear. */
  #readHeader(bytes: Buffer): number | null {
    let at = WAVE_START
    while (at + CHUNK_START <= bytes.length) {
      const name = bytes.toString('latin1', at, at + 4)
      const length = bytes.readUInt32LE(at + 4)
      const content = at + CHUNK_START
      if (name === 'data') {
        // Zero, too, stands for what was not known.
        if (length !== 0 && length !== UNKNOWN_LENGTH) this.#left = length
        return content
      }
      if (name === 'fmt ') {
        if (content + 16 > bytes.length) break
        const format = bytes.readUInt16LE(content)
        const channels = bytes.readUInt16LE(content + 2)
        const bits = bytes.readUInt16LE(content + 14)
        if ((format !== PCM && format !== EXTENSIBLE) || channels !== 1 || bits !== 16) {
          invalidAnswer('answer_other_sound')
        }
        this.rate = bytes.readUInt32LE(content + 4)
      }
      // Chunks begin at even places.
      at = content + length + (length % 2)
    }
    return bytes.length > LONGEST_HEADER ? invalidAnswer('answer_wav_without_sound') : null
  }

  #samples(bytes: Buffer): Buffer {
    const mine = bytes.length > this.#left ? bytes.subarray(0, this.#left) : bytes
    this.#left -= mine.length
    const all = this.#half.length > 0 ? Buffer.concat([this.#half, mine]) : mine
    const whole = all.length - (all.length % 2)
    this.#half = all.subarray(whole)
    return all.subarray(0, whole)
  }
}
