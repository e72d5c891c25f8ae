import type { CallFormat } from '../../convert/call-format.ts'
import { asObject, asString } from '../../convert/json/json-value.ts'
import type { SessionCall } from '../../inspect/sessions/session-call.ts'
import type { StoredCall } from '../../store/ledger/ledger.ts'

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
    // An old row may name none, or one that is no more: such a format has no traits.
    format: (asString(other.upstream_format) ?? asString(other.wire_format) ?? '') as CallFormat,
    isError: isFailed(row),
    input: row.promptTokens,
    cachedInput: row.cachedTokens,
    cacheWrite: count(other.cache_creation_tokens),
    isEstimated: row.isEstimated,
    agent: asString(other.agent) ?? null,
    isBackground:
      other.background === true || /count_?tokens/i.test(asString(other.request_path) ?? ''),
  }
}

export const reasoningOf = (row: StoredCall): number => count(otherOf(row).reasoning_tokens)
