import { asArray, asObject } from '../../json/json-value.ts'
import type { Loss } from '../../loss.ts'
import { modelName } from '../../model/model-name.ts'
import { dropTask, dropTitles, textsOf } from './batch-texts.ts'
import type { EmbeddingInput, EmbeddingsUpstream, RequestedValue } from './exchange.ts'
import { readGeminiUsage } from './gemini-usage.ts'
import { geminiTasks, taskWord } from './tasks.ts'

/** The only length of gemini-embedding-001 whose vectors have the length 1. */
const NORMALISED = 3072

/** gemini-embedding-2 reads a task from the text alone and gives the same vector whatever `taskType` says. */
const readsTasks = (model: string) => !modelName(model).startsWith('gemini-embedding-2')

function taskFields(batch: readonly EmbeddingInput[], model: string, loss: Loss) {
  const { task, title } = batch[0] ?? {}
  if (!readsTasks(model)) {
    dropTask(batch, loss)
    dropTitles(batch, loss)
    return {}
  }
  const taskType = taskWord(task, geminiTasks, 'taskType', loss)
  // Google reads a title of documents only.
  const hasTitle = title !== undefined && taskType === geminiTasks.document
  if (!hasTitle) dropTitles(batch, loss)
  return { ...(taskType && { taskType }), ...(hasTitle && { title: title.value }) }
}

function lengthOf(requested: RequestedValue<number> | undefined, model: string, loss: Loss) {
  if (!requested) return {}
  if (modelName(model).startsWith('gemini-embedding-001') && requested.value < NORMALISED) {
    loss.approximate(requested.at, { code: 'vectors_not_normal', dimensions: NORMALISED })
  }
  return { outputDimensionality: requested.value }
}

/**
 * Gemini's `:batchEmbedContents`, 100 requests at once:
 * https://ai.google.dev/api/embeddings#method:-models.batchembedcontents
 */
export const geminiUpstream: EmbeddingsUpstream = {
  format: 'batch-embed-contents',
  limit: 100,
  ownFields: new Set(),
  encode(batch, _own, { model, loss }) {
    const wishes = {
      ...taskFields(batch, model, loss),
      ...lengthOf(batch[0]?.dimensions, model, loss),
    }
    // Each text is a content of its own: parts of one would come back as one vector.
    return {
      requests: textsOf(batch, loss).map((text) => ({
        model: `models/${model.replace(/^models\//, '')}`,
        content: { parts: [{ text }] },
        ...wishes,
      })),
    }
  },
  decode(answer) {
    const body = asObject(answer)
    return {
      vectors: asArray(body?.embeddings).map((embedding) => asObject(embedding)?.values),
      usage: readGeminiUsage(body?.usageMetadata),
    }
  },
}
