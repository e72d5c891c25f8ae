import type { EmbeddingInput } from './exchange.ts'

const isAskedAlike = (one: EmbeddingInput, other: EmbeddingInput): boolean =>
  one.dimensions?.value === other.dimensions?.value && one.task?.word === other.task?.word

/** The inputs in their order, cut where a body would hold too many, or some that are asked for differently. */
export function batchesOf(
  inputs: readonly EmbeddingInput[],
  limit: number,
): readonly (readonly EmbeddingInput[])[] {
  const batches: EmbeddingInput[][] = []
  for (const input of inputs) {
    const batch = batches.at(-1)
    const first = batch?.[0]
    if (batch && first && batch.length < limit && isAskedAlike(first, input)) batch.push(input)
    else batches.push([input])
  }
  return batches
}
