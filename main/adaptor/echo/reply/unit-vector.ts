import { randomFrom } from './random-from.ts'
import { wordsOf } from './words-of.ts'

/** As long as Echo's vectors are unless asked otherwise. */
export const USUAL_DIMENSIONS = 256
/** Dimensions of the vendors' largest models. */
export const MOST_DIMENSIONS = 4096

/** Later words no longer count, so that a book does not hold up everyone else. */
const MOST_WORDS = 256
/** Numbers of a vector that one word changes (random indexing). */
const A_WORD = 24
/** How much the text as a whole counts beside one word: the order of words has to tell too. */
const WHOLE = 0.3

function addWord(vector: Float64Array, word: string): void {
  const random = randomFrom(`word ${word}`)
  for (let count = 0; count < A_WORD; count++) {
    const index = Math.floor(random() * vector.length)
    vector[index] = (vector[index] ?? 0) + random() * 2 - 1
  }
}

function addWhole(vector: Float64Array, text: string): void {
  const random = randomFrom(`text ${text}`)
  const weight = WHOLE * Math.sqrt(A_WORD / vector.length)
  for (let index = 0; index < vector.length; index++) {
    vector[index] = (vector[index] ?? 0) + (random() * 2 - 1) * weight
  }
}

/**
 * The same direction of length 1 for the same text; texts that share words point to the same side, so that a
 * search by these vectors finds something.
 */
export function unitVector(text: string, dimensions: number): Float32Array {
  const vector = new Float64Array(dimensions)
  for (const word of new Set(wordsOf(text).slice(0, MOST_WORDS))) addWord(vector, word)
  addWhole(vector, text)
  const length = Math.hypot(...vector)
  return Float32Array.from(vector, (value) => value / length)
}
