import { estimateTokens } from '../../../base/estimate-tokens.ts'
import type { EmbeddingInput, EmbeddingsUpstream } from './exchange.ts'

const isAskedAlike = (one: EmbeddingInput, other: EmbeddingInput): boolean =>
  one.dimensions?.value === other.dimensions?.value && one.task?.word === other.task?.word

/** The inputs in their order, cut where a body would hold too much, or some that are asked for differently. */
export function batchesOf(
  inputs: readonly EmbeddingInput[],
  { limit, tokenLimit = Number.POSITIVE_INFINITY }: EmbeddingsUpstream,
): readonly (readonly EmbeddingInput[])[] {
  const batches: EmbeddingInput[][] = []
  let tokens = 0
  for (const input of inputs) {
    const batch = batches.at(-1)
    const first = batch?.[0]
    const own = tokenLimit === Number.POSITIVE_INFINITY ? 0 : estimateTokens(input.text ?? '')
    const fits = batch !== undefined && batch.length < limit && tokens + own <= tokenLimit
    if (fits && first && isAskedAlike(first, input)) {
      batch.push(input)
      tokens += own
    } else {
      batches.push([input])
      tokens = own
    }
  }
  return batches
}
