import { asArray, asObject } from '../../json/json-value.ts'
import type { Loss } from '../../loss.ts'
import { modelName } from '../../model/model-name.ts'
import { readCohereMeta } from '../read-usage.ts'
import { dropTitles, textsOf } from './batch-texts.ts'
import type { EmbeddingsUpstream, RequestedValue } from './exchange.ts'
import { cohereTasks, taskWord } from './tasks.ts'

/** Lengths that a model gives: https://docs.cohere.com/docs/models#embed */
const knownLengths: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^embed-v4/, [256, 512, 1024, 1536]],
  [/^embed-(?:english|multilingual)-light-v3/, [384]],
  [/^embed-(?:english|multilingual)-v3/, [1024]],
  [/^embed-english-light-v2/, [1024]],
  [/^embed-english-v2/, [4096]],
  [/^embed-multilingual-v2/, [768]],
]

/** `output_dimension`; refuses a length that the model cannot give. */
function lengthOf(requested: RequestedValue<number> | undefined, model: string, loss: Loss) {
  if (!requested) return {}
  const name = modelName(model)
  const lengths = knownLengths.find(([pattern]) => pattern.test(name))?.[1]
  if (lengths && !lengths.includes(requested.value)) {
    loss.refuse(requested.at, { code: 'dimensions_only', model, lengths: lengths.join(', ') })
  }
  // Models of one length do not know the field.
  return lengths?.length === 1 ? {} : { output_dimension: requested.value }
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
    if (kind === undefined) loss.approximate('input_type', 'taken_as_document')
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
