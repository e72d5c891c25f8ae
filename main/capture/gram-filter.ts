/** Bits of the largest filter, and of a piece of one. */
const MOST_BITS = 1 << 21
const PIECE_BITS = 1 << 15
/** Bits of a filter for each run of characters in it, at least: of those that aren't, at most one in six seems to be. */
const BITS_EACH = 6
/** Runs from which on the largest filter has too few bits. */
const MOST_RUNS = MOST_BITS / BITS_EACH
/** Runs of 3 find short texts; those of 6 are in far fewer texts. */
const SHORT = 3
const LONG = 6

/** Mixes what was multiplied, as its low bits are those that are used. */
function mixed(sum: number): number {
  const half = Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d)
  return (half ^ (half >>> 13)) & (MOST_BITS - 1)
}

/** Before it's mixed, of the run of 3 characters (UTF-16 units) that begins there. */
const shortSum = (text: string, at: number): number => {
  const sum = Math.imul(text.charCodeAt(at), 0x9e3779b1) + text.charCodeAt(at + 1)
  return Math.imul(sum, 0x85ebca6b) + text.charCodeAt(at + 2)
}

/** The same of 6, from that of the first 3. */
const longSum = (first: number, text: string, at: number): number => {
  let sum = Math.imul(first, 0xc2b2ae35) + text.charCodeAt(at + 3)
  sum = Math.imul(sum, 0x27d4eb2f) + text.charCodeAt(at + 4)
  return Math.imul(sum, 0x165667b1) + text.charCodeAt(at + 5)
}

/** Which runs of 3 and of 6 characters are in some texts: a Bloom filter of one hash. Texts are lower-case. */
export class GramFilter {
  readonly #bits = new Uint8Array(MOST_BITS / 8)
  /** Bits that are set. */
  #count = 0

  /** Takes in the runs that begin in this part of the text. */
  add(text: string, from = 0, to = text.length): void {
    for (let at = from; at < to && at + SHORT <= text.length; at++) {
      const sum = shortSum(text, at)
      this.#set(mixed(sum))
      if (at + LONG <= text.length) this.#set(mixed(longSum(sum, text, at)))
    }
  }

  #set(gram: number): void {
    const bits = this.#bits
    const before = bits[gram >>> 3] as number
    const bit = 1 << (gram & 7)
    if ((before & bit) !== 0) return
    bits[gram >>> 3] = before | bit
    this.#count++
  }

  get isFull(): boolean {
    return this.#count >= MOST_RUNS
  }

  clear(): void {
    this.#bits.fill(0)
    this.#count = 0
  }

  /** In the smallest size that is large enough: halves are laid upon each other. */
  pieces(): Buffer[] {
    let bits = PIECE_BITS
    while (bits < MOST_BITS && bits < this.#count * BITS_EACH) bits *= 2
    const bytes = Buffer.alloc(bits / 8)
    for (const [at, byte] of this.#bits.entries())
      if (byte !== 0) bytes[at & (bytes.length - 1)] = (bytes[at & (bytes.length - 1)] ?? 0) | byte
    return Array.from({ length: bits / PIECE_BITS }, (_, at) =>
      bytes.subarray((at * PIECE_BITS) / 8, ((at + 1) * PIECE_BITS) / 8),
    )
  }

  /** May the text be in one of those that were added? */
  mayHold(grams: readonly number[]): boolean {
    return grams.every((gram) => isSet(this.#bits, gram))
  }
}

const isSet = (bytes: Uint8Array, bit: number): boolean =>
  ((bytes[bit >>> 3] ?? 0xff) & (1 << (bit & 7))) !== 0

/** All runs of a text, as `GramFilter.mayHold` takes them; none for one that is shorter than 3 characters. */
export function gramsOf(text: string): number[] {
  const grams = new Set<number>()
  for (let at = 0; at + SHORT <= text.length; at++) {
    const sum = shortSum(text, at)
    if (at + LONG <= text.length) grams.add(mixed(longSum(sum, text, at)))
    grams.add(mixed(sum))
  }
  return [...grams]
}

/** May the text be in a filter of so many pieces? Null from `read` = that piece is damaged. */
type PiecesTest = (pieces: number, read: (at: number) => Buffer | null) => boolean

/** Tests filters for the runs of a text: the pieces with most of them first, as one run that is missing is enough. */
export function testOfPieces(grams: readonly number[]): PiecesTest {
  /** By number of pieces: the bits in each. */
  const known = new Map<number, [at: number, bits: number[]][]>()
  return (pieces, read) => {
    const bitsOf = known.get(pieces) ?? bitsByPiece(grams, pieces)
    known.set(pieces, bitsOf)
    return bitsOf.every(([at, bits]) => {
      const piece = read(at)
      return piece?.length !== PIECE_BITS / 8 || bits.every((bit) => isSet(piece, bit))
    })
  }
}

function bitsByPiece(grams: readonly number[], pieces: number): [number, number[]][] {
  const bitsOf = new Map<number, number[]>()
  for (const gram of grams) {
    const bit = gram & (pieces * PIECE_BITS - 1)
    const at = Math.floor(bit / PIECE_BITS)
    const bits = bitsOf.get(at) ?? []
    bits.push(bit & (PIECE_BITS - 1))
    bitsOf.set(at, bits)
  }
  return [...bitsOf].sort(([, one], [, other]) => other.length - one.length)
}
