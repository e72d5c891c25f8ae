import type { Loss } from '../../loss.ts'
import type { EmbeddingInput } from './exchange.ts'

/** The texts to embed; refuses, by its path, what is none. */
export const textsOf = (batch: readonly EmbeddingInput[], loss: Loss): string[] =>
  batch.map(({ at, text }) => text ?? loss.refuse(at, 'embeds_text_only'))

/** Notes the titles of documents for an upstream that reads none. */
export function dropTitles(batch: readonly EmbeddingInput[], loss: Loss): void {
  for (const { title } of batch) {
    if (title) loss.drop(title.at, 'no_titles')
  }
}

/** Notes what the vectors are for, for an upstream that does not ask. */
export function dropTask([first]: readonly EmbeddingInput[], loss: Loss): void {
  if (first?.task) loss.drop(first.task.at, 'no_kinds_of_embeddings')
}
