import type { SearchCondition } from '../../../store/ledger/search/search-condition.ts'
import { mayHold } from '../timeline-page.ts'
import type { CaptureIndex } from '../timeline-sources.ts'

/** The conditions, those on texts with the calls in whose captures the texts stand. For administrators only. */
export function withCapturedTexts(
  conditions: readonly SearchCondition[],
  captures: CaptureIndex | null,
  signal: AbortSignal,
): Promise<SearchCondition[]> {
  const isOver = mayHold('ledger', conditions) || mayHold('refused', conditions)
  return Promise.all(
    conditions.map(async (condition) => {
      if (condition.test !== 'message' || !captures) return condition
      const { text } = condition
      const requestIds = isOver
        ? await captures.search(text, signal)
        : captures.searchUnderWay(text)
      return { ...condition, requestIds }
    }),
  )
}
