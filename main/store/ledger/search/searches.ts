import type { StoredCall } from '../call-columns.ts'
import type { NumberField, SearchCondition, TextField } from './search-condition.ts'

/** A row's place in the order of time. */
export interface Place {
  /** Unix seconds. */
  time: number
  id: number
}

/** Columns that rows can be sorted by. */
export type CallSort = Extract<
  NumberField,
  'time' | 'duration' | 'quota' | 'input' | 'output' | 'firstToken'
>

/** End of a page. */
export interface CallPlace extends Place {
  /** The sort key; the time itself when sorted by time. */
  value: number
}

export interface FindOptions {
  /** After this row; null = from the beginning. */
  cursor: CallPlace | null
  limit: number
  sort: CallSort
  order: 'asc' | 'desc'
  /** Rows that were written later don't count, so that pages of one search fit together. */
  upToId?: number | undefined
  /** Ends the search where nobody waits for it any more. */
  signal?: AbortSignal | undefined
}

export interface FoundCalls {
  rows: StoredCall[]
  /**
   * Where to go on; null at the end. Newest first, a page may have fewer rows than asked for and still go on: a
   * search looks at some 100 000 rows at once.
   */
  next: CallPlace | null
}

export interface FieldValue {
  value: string
  count: number
}

/** Fields whose values are listed. */
export type ListedField = TextField | 'status'

/** Rows of the ledger, found in its facts. */
export interface Searches {
  find(conditions: readonly SearchCondition[], options: FindOptions): Promise<FoundCalls>
  /** How many rows that fit came after a place, at most 10 000. */
  countSince(
    conditions: readonly SearchCondition[],
    since: Place,
    signal?: AbortSignal,
  ): Promise<number>
  /** A field's values that have this part, among the newest 100 000 rows that fit; the commonest first. */
  valuesOf(
    field: ListedField,
    part: string,
    limit: number,
    conditions?: readonly SearchCondition[],
  ): Promise<FieldValue[]>
  /** The place of the newest row. */
  newest(): Place
}
