import type { CallRow } from '../call-row.ts'
import type { CallFlag, NumberField, TextField } from './search-condition.ts'

/** All of a row that a search looks at. Figures of what is no model call are null. */
export type CallFacts = Record<TextField, string> &
  Record<'time' | 'userId' | 'type' | 'status', number> &
  Record<Exclude<NumberField, 'time' | 'userId' | 'type' | 'status'>, number | null> &
  Record<CallFlag, boolean>

type RowOfFacts = Omit<CallRow, 'group' | 'ip' | 'tokenId' | 'channelId'>

/** The stream broke off, or its reader left, and nobody saw its end. */
const CUT_CODES = new Set(['upstream_cut', 'client_gone', 'gateway_ended', 'call_stopped'])

function read(other: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(other || '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const number = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

export function factsOf(row: RowOfFacts): CallFacts {
  const other = read(row.other)
  const isCall = row.type === 2 || row.type === 5
  const error = text(other.error_code)
  const firstToken = isCall ? number(other.frt) : null
  const { promptTokens: input } = row
  return {
    model: row.model,
    channel: row.channelName,
    token: row.tokenName,
    user: row.username,
    path: text(other.request_path),
    client: text(other.client),
    format: text(other.wire_format),
    error,
    session: text(other.session),
    requestId: row.requestId,
    time: row.createdAt,
    userId: row.userId,
    type: row.type,
    status: row.status,
    duration: isCall ? row.useTime : null,
    firstToken,
    // An unknown cost is none to be summed or compared.
    quota: isCall && !row.isUnpriced ? row.quota : null,
    input: isCall ? input : null,
    output: isCall ? row.completionTokens : null,
    cached: isCall && input > 0 ? (row.cachedTokens * 100) / input : null,
    stream: isCall && row.isStream,
    estimated: other.estimated === true,
    cut: CUT_CODES.has(error) || (row.status === 499 && firstToken !== null),
    loss: Array.isArray(other.loss) && other.loss.length > 0,
    replay: text(other.replay_of) !== '',
    message: row.content !== '',
  }
}
