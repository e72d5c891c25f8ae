const NOTHING = Buffer.alloc(0)
const BYTES = 2
/** Both vendors' default sample rate. */
export const USUAL_RATE = 24_000

/**
 * The 44 bytes that make a WAV file of samples (16 bits, one channel). `size`: bytes of samples; null where
 * it is not known yet, which players take for “to the end”.
 */
export function wavHeader(rate: number, size: number | null): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(size === null ? 0xffffffff : size + 36, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * BYTES, 28)
  header.writeUInt16LE(BYTES, 32)
  header.writeUInt16LE(BYTES * 8, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(size ?? 0xffffffff, 40)
  return header
}

/** Brings samples that come in pieces to another rate: between two of the old ones lies a straight line. */
export class Resampler {
  readonly #from: number
  readonly #to: number
  /** Samples taken in before this piece, and given out. */
  #taken = 0
  #written = 0
  #last = 0

  constructor(from: number, to: number) {
    this.#from = from
    this.#to = to
  }

  /** Takes whole samples and gives those that lie up to the last of them. */
  push(samples: Buffer): Buffer {
    if (this.#from === this.#to) return samples
    const count = samples.length / BYTES
    if (count === 0) return NOTHING
    const at = (index: number) => (index < 0 ? this.#last : samples.readInt16LE(index * BYTES))
    const place = () => (this.#written * this.#from) / this.#to - this.#taken
    const out = Buffer.alloc(Math.ceil(((count + 1) * this.#to) / this.#from + 1) * BYTES)
    let length = 0
    for (let where = place(); where <= count - 1; where = place()) {
      const before = Math.floor(where)
      const share = where - before
      const value = share === 0 ? at(before) : at(before) * (1 - share) + at(before + 1) * share
      length = out.writeInt16LE(Math.round(value), length)
      this.#written++
    }
    this.#last = at(count - 1)
    this.#taken += count
    return out.subarray(0, length)
  }
}
