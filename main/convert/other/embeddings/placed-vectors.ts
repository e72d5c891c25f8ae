import { asArray, asObject } from '../../json/json-value.ts'
import { invalidAnswer } from '../parse-answer.ts'

/**
 * The embeddings in `data` of an answer in OpenAI's shape, in the order of their `index`, or as they stand
 * where they have none. Throws `upstream_invalid` where two have the same place, or one has none.
 */
export function placedVectors(answer: unknown): unknown[] {
  const data = asArray(asObject(answer)?.data).map(asObject)
  const placed = new Map<number, unknown>()
  for (const [position, item] of data.entries()) {
    const index = typeof item?.index === 'number' ? item.index : position
    if (placed.has(index)) invalidAnswer({ code: 'answer_embedding_twice', index })
    placed.set(index, item?.embedding)
  }
  return data.map((_, index) =>
    placed.has(index)
      ? placed.get(index)
      : invalidAnswer({ code: 'answer_embedding_missing', index }),
  )
}
