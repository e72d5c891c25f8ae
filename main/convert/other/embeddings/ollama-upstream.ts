import { asArray, asCount, asObject } from '../../json/json-value.ts'
import { inputUsage } from '../read-usage.ts'
import { dropTask, dropTitles, textsOf } from './batch-texts.ts'
import type { EmbeddingsUpstream } from './exchange.ts'

/** Ollama's own `/api/embed`: https://docs.ollama.com/api/embed. It takes any number of texts. */
export const ollamaUpstream: EmbeddingsUpstream = {
  format: 'ollama-embed',
  limit: Number.POSITIVE_INFINITY,
  ownFields: new Set(['truncate', 'options', 'keep_alive']),
  encode(batch, own, { model, loss }) {
    dropTask(batch, loss)
    dropTitles(batch, loss)
    const dimensions = batch[0]?.dimensions?.value
    return { model, input: textsOf(batch, loss), ...(dimensions && { dimensions }), ...own }
  },
  decode(answer) {
    const body = asObject(answer)
    const tokens = asCount(body?.prompt_eval_count)
    return {
      vectors: asArray(body?.embeddings),
      usage: tokens === undefined ? null : inputUsage(tokens),
    }
  },
}
