import { asNumber, asObject, objectsOf, textOf, usageFigures } from '../run/json-answer.ts'
import { linesOf } from '../run/lines-of.ts'
import { filledOnly } from '../run/optional-fields.ts'
import type { Task } from '../run/task.ts'

interface RerankDraft {
  query: string
  documents: string
  /** Empty: all. */
  topN: number | ''
}

export interface RankedDocument {
  text: string
  /** Line number, from 1. */
  position: number
  /** The vendor's scale; not always from 0 to 1. */
  score: number
}

const body = (model: string, { query, documents, topN }: RerankDraft) => ({
  model,
  query: query.trim(),
  documents: linesOf(documents),
  ...filledOnly({ top_n: topN }),
})

/** https://docs.cohere.com/reference/rerank */
export const rerankTask: Task<'playground.rerank', RerankDraft, RankedDocument[]> = {
  operation: 'playground.rerank',
  blank: { query: '', documents: '', topN: '' },
  isReady: ({ query, documents }) => query.trim() !== '' && linesOf(documents).length > 0,
  input: body,
  request: (model, draft) => ({ path: '/v1/rerank', body: { json: body(model, draft) } }),
  read(answer, { documents }) {
    const lines = linesOf(documents)
    // Some servers answer with a bare list.
    const whole: unknown = JSON.parse(textOf(answer))
    const results = objectsOf(Array.isArray(whole) ? whole : asObject(whole)?.results)
    const ranked = results.map((result) => {
      const index = asNumber(result.index)
      const score = asNumber(result.relevance_score) ?? asNumber(result.score)
      const text = index === null ? undefined : lines[index]
      if (index === null || score === null || text === undefined) {
        throw new TypeError('A result names no document, or has no score.')
      }
      return { text, position: index + 1, score }
    })
    return ranked.sort((one, other) => other.score - one.score)
  },
  usage(answer) {
    const whole = asObject(JSON.parse(textOf(answer)))
    const billed = asObject(asObject(whole?.meta)?.billed_units)
    const searchUnits = asNumber(billed?.search_units)
    const figures = usageFigures(whole?.usage)
    return searchUnits === null
      ? figures
      : [{ kind: 'searchUnits', count: searchUnits }, ...figures]
  },
}
