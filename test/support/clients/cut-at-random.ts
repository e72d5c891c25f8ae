/** A repeatable stream of numbers in [0, 1) (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * The same bytes in pieces of 1 to `largest` bytes, cut where the seed says: in the middle of lines
 * and of UTF-8 characters too, as a network may.
 */
export function cutAtRandom(bytes: Buffer, seed: number, largest = 64): Buffer[] {
  const random = randomFrom(seed)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + Math.floor(random() * largest)
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}
