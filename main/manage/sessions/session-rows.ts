import { asObject, asString } from '../../convert/json/json-value.ts'
import type { SessionCall } from '../../inspect/sessions/session-call.ts'
import type { StoredCall } from '../../store/ledger/ledger.ts'
import type { SessionSum } from '../../store/ledger/search/session-search.ts'

type Json = Record<string, unknown>

export function otherOf({ other }: Pick<StoredCall, 'other'>): Json {
  try {
    return asObject(JSON.parse(other || '{}')) ?? {}
  } catch {
    return {}
  }
}

const count = (value: unknown): number => (typeof value === 'number' ? value : 0)

export const isFailed = ({ type, status }: StoredCall): boolean => type === 5 || status >= 400

/** A row of the ledger as sessions are worked out from it. */
export function toSessionCall(row: StoredCall): SessionCall {
  const other = otherOf(row)
  const admin = asObject(other.admin_info)
  const keyIndex = admin?.multi_key_index
  return {
    requestId: row.requestId,
    startedAt: row.createdAt * 1000 - row.useTime,
    endedAt: row.createdAt * 1000,
    model: asString(other.upstream_model_name) ?? row.model,
    channelId: row.channelId,
    keyIndex: typeof keyIndex === 'number' ? keyIndex : null,
    format: asString(other.upstream_format) ?? asString(other.wire_format) ?? '',
    isError: isFailed(row),
    input: row.promptTokens,
    cachedInput: row.cachedTokens,
    cacheWrite: count(other.cache_creation_tokens),
    agent: asString(other.agent) ?? null,
    isBackground:
      other.background === true || /count_?tokens/i.test(asString(other.request_path) ?? ''),
  }
}

export const reasoningOf = (row: StoredCall): number => count(otherOf(row).reasoning_tokens)

/** The figures of a session that is not in the ledger's own list; at least one row. */
export function sumRows(session: string, rows: readonly StoredCall[]): SessionSum {
  const first = rows[0] as StoredCall
  const total = (value: (row: StoredCall) => number) =>
    rows.reduce((sum, row) => sum + value(row), 0)
  const input = new Map<string, number>()
  for (const row of rows) input.set(row.model, (input.get(row.model) ?? 0) + row.promptTokens)
  return {
    ...{ session, userId: first.userId, username: first.username, token: first.tokenName },
    client: asString(otherOf(first).client) ?? '',
    startedAt: Math.floor(
      Math.min(...rows.map(({ createdAt, useTime }) => createdAt - useTime / 1000)),
    ),
    endedAt: Math.max(...rows.map(({ createdAt }) => createdAt)),
    calls: rows.length,
    errors: rows.filter(isFailed).length,
    models: [...input].sort(([, one], [, other]) => other - one).map(([model]) => model),
    input: total(({ promptTokens }) => promptTokens),
    cachedInput: total(({ cachedTokens }) => cachedTokens),
    output: total(({ completionTokens }) => completionTokens),
    quota: rows.every(({ isUnpriced }) => isUnpriced) ? null : total(({ quota }) => quota),
    unpriced: rows.filter(({ isUnpriced }) => isUnpriced).length,
  }
}
