import { invalidAnswer } from '../parse-answer.ts'

const BYTES = 4

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'number')

/** Numbers as base64 of little-endian float32, in which OpenAI's SDKs ask for them. */
export function toBase64(numbers: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(numbers.length * BYTES)
  for (const [index, number] of numbers.entries()) bytes.writeFloatLE(number, index * BYTES)
  return bytes.toString('base64')
}

/** The numbers in base64 of little-endian float32; null for a text that holds none, or part of one. */
function fromBase64(text: string): number[] | null {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === 0 || bytes.length % BYTES !== 0) return null
  const numbers = new Array<number>(bytes.length / BYTES)
  for (let index = 0; index < numbers.length; index++) {
    numbers[index] = bytes.readFloatLE(index * BYTES)
  }
  return numbers
}

/** An embedding in the other encoding; null where it is neither of the two, as a list of vectors is. */
export function recode(embedding: unknown, wanted: 'float' | 'base64'): number[] | string | null {
  if (typeof embedding === 'string') return wanted === 'float' ? fromBase64(embedding) : embedding
  if (!isNumbers(embedding)) return null
  return wanted === 'base64' ? toBase64(embedding) : embedding
}

/** An upstream's embedding as numbers, whichever way it wrote them. Throws `upstream_invalid`. */
export function readVector(embedding: unknown): number[] {
  const numbers = recode(embedding, 'float') as number[] | null
  if (!numbers || numbers.length === 0) invalidAnswer('answer_embedding_unreadable')
  return numbers
}
