/** Texts of a call, compared in part and without regard to case; in session and request id of ASCII letters alone. */
export const textFields = [
  'model',
  'channel',
  'token',
  'user',
  'path',
  'client',
  'format',
  'error',
  'session',
  'requestId',
] as const

export type TextField = (typeof textFields)[number]

/**
 * `time` in unix seconds, `duration` and `firstToken` in milliseconds, `quota` in units, `cached` in percent of the
 * input tokens.
 */
export type NumberField =
  | 'time'
  | 'userId'
  | 'type'
  | 'status'
  | 'duration'
  | 'firstToken'
  | 'quota'
  | 'input'
  | 'output'
  | 'cached'

export const callFlags = [
  'stream',
  'estimated',
  'cut',
  'loss',
  'replay',
  /** Its row has a message. */
  'message',
] as const

export type CallFlag = (typeof callFlags)[number]

/** Ends of a range; one that is left out is open. */
export interface NumberRange {
  above?: number
  atLeast?: number
  atMost?: number
  below?: number
}

export type SearchTest =
  /** The text stands in one of these fields. */
  | { test: 'contains'; fields: readonly TextField[]; text: string }
  | { test: 'range'; field: NumberField; range: NumberRange }
  | { test: 'flag'; flag: CallFlag }
  | { test: 'types'; types: readonly number[] }
  /** The text stands in the row's message, or the request is one of these, whose texts have been searched. */
  | { test: 'message'; text: string; requestIds: readonly string[] }
  /** Rows of running calls, or of refused requests. */
  | { test: 'source'; source: 'running' | 'refused' }

/** All conditions of a search must hold. */
export type SearchCondition = SearchTest & { isNegated: boolean }
