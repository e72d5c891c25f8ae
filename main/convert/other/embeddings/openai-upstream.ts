import { asObject } from '../../json/json-value.ts'
import { readTokenUsage } from '../read-usage.ts'
import { dropTask, dropTitles, textsOf } from './batch-texts.ts'
import type { EmbeddingsUpstream } from './exchange.ts'
import { placedVectors } from './placed-vectors.ts'

/**
 * An upstream of `/v1/embeddings`: https://platform.openai.com/docs/api-reference/embeddings. OpenAI takes
 * 2048 inputs and 300 000 tokens at once.
 */
export const openaiUpstream: EmbeddingsUpstream = {
  format: 'embeddings',
  limit: 2048,
  tokenLimit: 300_000,
  ownFields: new Set(),
  encode(batch, _own, { model, loss }) {
    dropTask(batch, loss)
    dropTitles(batch, loss)
    const dimensions = batch[0]?.dimensions?.value
    return { model, input: textsOf(batch, loss), ...(dimensions && { dimensions }) }
  },
  decode: (answer) => ({
    vectors: placedVectors(answer),
    usage: readTokenUsage(asObject(answer)?.usage),
  }),
}
