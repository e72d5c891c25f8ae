import { redact } from '../../base/log/redact.ts'

/** One row of the ledger: a model call, or something else that moved quota. */
export interface CallRow {
  requestId: string
  /** Unix seconds at which it ended. */
  createdAt: number
  /**
   * 1 top-up, 2 consume, 3 manage, 4 system, 5 error, 6 refund; 2 and 5 are model calls, 1 and 6 are what a
   * user was credited and what of that was taken back.
   */
  type: 1 | 2 | 3 | 4 | 5 | 6
  userId: number
  username: string
  /** 0 = no token, as for the playground. */
  tokenId: number
  tokenName: string
  /** 0 = it never reached a channel. */
  channelId: number
  channelName: string
  model: string
  group: string
  ip: string
  /** Human text: for an error its message. */
  content: string
  /** Units charged; of type 1 units credited, of type 6 those units, negative, that were taken back. */
  quota: number
  promptTokens: number
  completionTokens: number
  /** Milliseconds. */
  useTime: number
  isStream: boolean
  /** HTTP status that the client saw; 499 when it had gone. */
  status: number
  /** JSON object. */
  other: string
  /** The part of `promptTokens` that the vendor read from its cache. */
  cachedTokens: number
  /** The model had no price for what was used: `quota` is 0 and is no price. */
  isUnpriced: boolean
  /** The vendor told no usage: the tokens, and so the charge, are the gateway's estimate. */
  isEstimated: boolean
}

/** Which rows; a field left out takes all. */
export interface CallFilter {
  userId?: number
  username?: string
  tokenId?: number
  tokenName?: string
  /** `%` stands for any text. */
  modelName?: string
  channelId?: number
  type?: number
  group?: string
  requestId?: string
  /** Unix seconds, both ends included. */
  start?: number
  end?: number
}

/** Did it change what a user was credited? */
export const isCredit = ({ type }: CallRow): boolean => type === 1 || type === 6

export const isModelCall = ({ type }: CallRow): boolean => type === 2 || type === 5

/**
 * Above all that is ever charged, credited or counted. A whole number of more than 2^53 could be written, but
 * neither it nor a sum that holds it be read again: the log would be lost for one odd answer.
 */
const LARGEST = 1e15
/** The same of one call's tokens, of which many rows are added up. */
const MOST_TOKENS = 1e12

const whole = (value: number, most = LARGEST): number =>
  Number.isFinite(value) ? Math.trunc(Math.min(most, Math.max(-most, value))) : 0
const tokens = (value: number): number => whole(value, MOST_TOKENS)
const text = (value: string): string => (typeof value === 'string' ? value : '')

/** Are there somebody's words in it? All else is the gateway's own, and looking through it takes time. */
const hasWords = ({ type, content, other }: CallRow): boolean =>
  type !== 2 || content !== '' || other.includes('"message"') || other.includes('"reason"')

const withoutSecrets = (row: CallRow): CallRow =>
  hasWords(row)
    ? { ...row, model: redact(row.model), content: redact(row.content), other: redact(row.other) }
    : row

/**
 * The row with every field of its type: a number that is none (from a vendor's odd usage) would be
 * refused by the database, with all rows of the same transaction, again and again. And without secrets:
 * vendors quote the key that they refuse, and a caller may have its own where the model's name belongs.
 */
export const sanitizedRow = (row: CallRow): CallRow =>
  withoutSecrets({
    requestId: text(row.requestId),
    createdAt: whole(row.createdAt),
    type: row.type,
    userId: whole(row.userId),
    username: text(row.username),
    tokenId: whole(row.tokenId),
    tokenName: text(row.tokenName),
    channelId: whole(row.channelId),
    channelName: text(row.channelName),
    model: text(row.model),
    group: text(row.group),
    ip: text(row.ip),
    content: text(row.content),
    quota: whole(row.quota),
    promptTokens: tokens(row.promptTokens),
    completionTokens: tokens(row.completionTokens),
    useTime: whole(row.useTime),
    isStream: row.isStream === true,
    status: whole(row.status),
    other: text(row.other),
    cachedTokens: tokens(row.cachedTokens),
    isUnpriced: row.isUnpriced === true,
    isEstimated: row.isEstimated === true,
  })
