import { digest } from '../../../base/digest.ts'

/** A row of numbers from 0 up to, not including, 1, that is the same for the same text (mulberry32). */
export function randomFrom(text: string): () => number {
  let state = Number.parseInt(digest(text).slice(0, 8), 16)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
