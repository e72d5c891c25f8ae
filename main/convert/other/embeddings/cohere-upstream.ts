import { asArray, asObject } from '../../json-value.ts'
import type { Loss } from '../../loss.ts'
import { modelName } from '../../model-name.ts'
import { readCohereMeta } from '../read-usage.ts'
import { dropTitles, textsOf } from './batch-texts.ts'
import type { EmbeddingsUpstream, Wish } from './exchange.ts'
import { cohereTasks, taskWord } from './tasks.ts'

/** Models before v4 give one length each: https://docs.cohere.com/docs/models#embed */
const fixedLengths: readonly (readonly [RegExp, number])[] = [
  [/^embed-(?:english|multilingual)-light-v3/, 384],
  [/^embed-(?:english|multilingual)-v3/, 1024],
  [/^embed-english-light-v2/, 1024],
  [/^embed-english-v2/, 4096],
  [/^embed-multilingual-v2/, 768],
]

/** `output_dimension`; refuses a length that the model cannot give. */
function lengthOf(wish: Wish<number> | undefined, model: string, loss: Loss) {
  if (!wish) return {}
  const name = modelName(model)
  const fixed = fixedLengths.find(([pattern]) => pattern.test(name))
  if (!fixed) return { output_dimension: wish.value }
  if (fixed[1] !== wish.value) loss.refuse(wish.at, `${model} gives ${fixed[1]} dimensions only`)
  return {}
}

/** Cohere's v2 embed, 96 texts at once: https://docs.cohere.com/reference/embed */
export const cohereUpstream: EmbeddingsUpstream = {
  format: 'cohere-embed',
  limit: 96,
  ownFields: new Set(['truncate', 'max_tokens', 'priority']),
  encode(batch, own, { model, loss }) {
    dropTitles(batch, loss)
    const { task, dimensions } = batch[0] ?? {}
    const kind = taskWord(task, cohereTasks, 'input_type', loss)
    // Cohere asks what the texts are, which most clients do not tell.
    if (kind === undefined) loss.approximate('input_type', 'taken to be search_document')
    return {
      model,
      texts: textsOf(batch, loss),
      input_type: kind ?? 'search_document',
      embedding_types: ['float'],
      ...lengthOf(dimensions, model, loss),
      ...own,
    }
  },
  decode(answer) {
    const body = asObject(answer)
    return {
      vectors: asArray(asObject(body?.embeddings)?.float),
      usage: readCohereMeta(body?.meta),
    }
  },
}
