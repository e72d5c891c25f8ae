import type { StoredCall } from '../../store/ledger/ledger.ts'
import type { SearchCondition } from '../../store/ledger/search/search-condition.ts'
import type { Place } from '../../store/ledger/search/searches.ts'

/**
 * Requests that were refused before they became calls, as rows of the log: `requestId`, `createdAt` and `id` of its own,
 * `status`, the reason as `content`, and in `other` `request_path`, `client` and `error_code`.
 */
export interface RefusedSource {
  /**
   * Those that fit, newest first, older than a place; fewer than `limit` are the last. `matchesFacts` checks the
   * conditions of one row.
   */
  list(
    conditions: readonly SearchCondition[],
    before: Place | null,
    limit: number,
  ): Promise<readonly StoredCall[]>
  find(requestId: string): StoredCall | null
  /** How many of those that fit came after a place. */
  countSince(conditions: readonly SearchCondition[], since: Place): Promise<number>
  /** The place of the newest one. */
  newest(): Place
}

/** The captures, as far as the list of calls shows and searches them. */
export interface CaptureIndex {
  /** Which of these requests have a capture. */
  has(requestIds: readonly string[]): ReadonlySet<string>
  /** The newest 1000 requests in whose texts these words stand; throws when nobody waits any more. */
  search(text: string, signal: AbortSignal): Promise<readonly string[]>
  /** The same among the requests under way: nothing else is looked at. */
  searchUnderWay(text: string): readonly string[]
}

/** Where rows of the Calls list, and facts of them, come from beside the ledger; null = there is no such source. */
export interface TimelineSources {
  refused: RefusedSource | null
  captures: CaptureIndex | null
}
