import { asNumber, type JsonObject, objectIn, objectsOf, usageFigures } from '../run/json-answer.ts'
import { linesOf } from '../run/lines-of.ts'
import { filledOnly } from '../run/optional-fields.ts'
import type { Task } from '../run/task.ts'

interface EmbeddingsDraft {
  text: string
  /** Empty fields are not sent. */
  dimensions: number | ''
}

export interface EmbeddedLine {
  text: string
  vector: readonly number[]
}

const body = (model: string, { text, dimensions }: EmbeddingsDraft) => ({
  model,
  input: linesOf(text),
  encoding_format: 'float',
  ...filledOnly({ dimensions }),
})

/** https://platform.openai.com/docs/api-reference/embeddings/create */
export const embeddingsTask: Task<'playground.embeddings', EmbeddingsDraft, EmbeddedLine[]> = {
  operation: 'playground.embeddings',
  blank: { text: '', dimensions: '' },
  isReady: ({ text }) => linesOf(text).length > 0,
  input: body,
  request: (model, draft) => ({ path: '/v1/embeddings', body: { json: body(model, draft) } }),
  read(answer, { text }) {
    const items = objectsOf(objectIn(answer).data)
    return linesOf(text).map((line, index) => {
      const item = items.find((one, place) => (asNumber(one.index) ?? place) === index)
      if (!item) throw new TypeError(`Line ${index + 1} has no embedding.`)
      return { text: line, vector: vectorOf(item) }
    })
  },
  // The total repeats the input: embeddings have no output tokens.
  usage: (answer) => usageFigures(objectIn(answer).usage).filter(({ kind }) => kind !== 'tokens'),
}

function vectorOf({ embedding }: JsonObject): readonly number[] {
  const vector = typeof embedding === 'string' ? decodeFloats(embedding) : embedding
  const isVector = Array.isArray(vector) && vector.length > 0 && vector.every(Number.isFinite)
  if (!isVector) throw new TypeError('An embedding is no list of numbers.')
  return vector
}

/**
 * Decodes base64 of little-endian 32-bit floats, which some vendors send whatever format was asked for.
 * https://platform.openai.com/docs/api-reference/embeddings/create
 */
function decodeFloats(base64: string): number[] {
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
  const view = new DataView(bytes.buffer)
  return Array.from({ length: bytes.length >> 2 }, (_, index) => view.getFloat32(index * 4, true))
}
