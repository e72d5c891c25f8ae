import { asObject } from '../../json/json-value.ts'
import { readTokenUsage } from '../read-usage.ts'
import { dropTitles } from './batch-texts.ts'
import type { EmbeddingsUpstream } from './exchange.ts'
import { placedVectors } from './placed-vectors.ts'
import { jinaTasks, taskWord } from './tasks.ts'

/**
 * Jina's own `/v1/embeddings`: https://jina.ai/embeddings. It takes 512 inputs at once, texts or objects
 * (`{text}`, `{image}`).
 */
export const jinaUpstream: EmbeddingsUpstream = {
  format: 'jina-embed',
  limit: 512,
  ownFields: new Set(['normalized', 'truncate', 'late_chunking']),
  // Jina then reads all inputs as pieces of one text.
  wholeField: 'late_chunking',
  encode(batch, own, { model, loss }) {
    dropTitles(batch, loss)
    const { task: wish, dimensions } = batch[0] ?? {}
    const task = taskWord(wish, jinaTasks, 'task', loss)
    return {
      model,
      input: batch.map(({ text, object }) => object ?? text),
      ...(task && { task }),
      ...(dimensions && { dimensions: dimensions.value }),
      ...own,
    }
  },
  decode: (answer) => ({
    vectors: placedVectors(answer),
    usage: readTokenUsage(asObject(answer)?.usage),
  }),
}
