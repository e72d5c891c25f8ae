import type { Loss } from '../../loss.ts'
import type { EmbeddingTask, RequestedTask } from './exchange.ts'

type Words = Readonly<Record<EmbeddingTask, string>>

/** Gemini's `taskType`: https://ai.google.dev/gemini-api/docs/embeddings#task-types */
export const geminiTasks: Words = {
  query: 'RETRIEVAL_QUERY',
  document: 'RETRIEVAL_DOCUMENT',
  similarity: 'SEMANTIC_SIMILARITY',
  classification: 'CLASSIFICATION',
  clustering: 'CLUSTERING',
  question: 'QUESTION_ANSWERING',
  facts: 'FACT_VERIFICATION',
  'code-query': 'CODE_RETRIEVAL_QUERY',
  'code-document': 'RETRIEVAL_DOCUMENT',
}

/** Cohere's `input_type`: https://docs.cohere.com/reference/embed */
export const cohereTasks: Words = {
  query: 'search_query',
  document: 'search_document',
  // Both sides of a comparison are embedded alike, as things to cluster are.
  similarity: 'clustering',
  classification: 'classification',
  clustering: 'clustering',
  question: 'search_query',
  facts: 'search_query',
  'code-query': 'search_query',
  'code-document': 'search_document',
}

/** Jina's `task`: https://jina.ai/embeddings */
export const jinaTasks: Words = {
  query: 'retrieval.query',
  document: 'retrieval.passage',
  similarity: 'text-matching',
  classification: 'classification',
  clustering: 'separation',
  question: 'retrieval.query',
  facts: 'retrieval.query',
  'code-query': 'retrieval.query',
  'code-document': 'retrieval.passage',
}

/** Every vendor's words in lower case; Voyage and NVIDIA say `query` and `document` or `passage`. */
const meanings: ReadonlyMap<string, EmbeddingTask> = new Map([
  ['query', 'query'],
  ['search_query', 'query'],
  ['retrieval_query', 'query'],
  ['retrieval.query', 'query'],
  ['document', 'document'],
  ['passage', 'document'],
  ['search_document', 'document'],
  ['retrieval_document', 'document'],
  ['retrieval.passage', 'document'],
  ['semantic_similarity', 'similarity'],
  ['text-matching', 'similarity'],
  ['classification', 'classification'],
  ['clustering', 'clustering'],
  ['separation', 'clustering'],
  ['question_answering', 'question'],
  ['fact_verification', 'facts'],
  ['code_retrieval_query', 'code-query'],
  ['code.query', 'code-query'],
  ['nl2code.query', 'code-query'],
  ['code.passage', 'code-document'],
  ['nl2code.passage', 'code-document'],
])

/** The client's word for a task with its meaning; undefined for Google's word for none. */
export function readTask(at: string, word: string): RequestedTask | undefined {
  if (word === '' || word === 'TASK_TYPE_UNSPECIFIED') return undefined
  return { at, word, task: meanings.get(word.toLowerCase()) }
}

/**
 * The upstream's word for what the client asks; one that means something near is noted, one without a
 * counterpart dropped. `ownField` is the upstream's own name for it: what stands there is the vendor's to
 * judge, except in `input_type`, where several vendors have words of their own.
 */
export function taskWord(
  requested: RequestedTask | undefined,
  words: Words,
  ownField: string,
  loss: Loss,
): string | undefined {
  if (!requested) return undefined
  const { at, word, task } = requested
  if (at === ownField && (!task || at !== 'input_type')) return word
  if (!task) {
    loss.drop(at, 'no_such_task')
    return undefined
  }
  const near = words[task]
  if (meanings.get(near.toLowerCase()) !== task)
    loss.approximate(at, { code: 'becomes', value: near })
  return near
}
