import type { OperationInput } from '../../../preload/contract.ts'
import type { TokenRecord } from '../../gateway/records.ts'

const unitsPerDollar = 500_000
const never = -1

/** The form's own copy of a token. */
export interface TokenDraft {
  name: string
  /** Local date and time as `2026-01-31T12:00`; empty for never. */
  expires: string
  limitQuota: boolean
  /** US dollars left, or the text being typed. */
  dollars: number | string
  limitModels: boolean
  models: string[]
  /** One address or range a line. */
  ips: string
  group: string
}

export const newTokenDraft: TokenDraft = {
  name: '',
  expires: '',
  limitQuota: false,
  dollars: 10,
  limitModels: false,
  models: [],
  ips: '',
  group: '',
}

/** The draft of a stored token. */
export function draftOfToken(token: TokenRecord): TokenDraft {
  return {
    name: token.name,
    expires: token.expired_time === never ? '' : toLocalInput(token.expired_time),
    limitQuota: !token.unlimited_quota,
    dollars: token.unlimited_quota ? newTokenDraft.dollars : token.remain_quota / unitsPerDollar,
    limitModels: token.model_limits_enabled,
    models: token.model_limits.split(',').filter((model) => model !== ''),
    ips: token.allow_ips ?? '',
    group: token.group,
  }
}

/** The draft as fields of the wire. */
export function fieldsOfToken(
  draft: TokenDraft,
): Omit<OperationInput<'token.create'>, 'id' | 'status'> {
  return {
    name: draft.name.trim(),
    expired_time: draft.expires === '' ? never : Math.floor(Date.parse(draft.expires) / 1000),
    unlimited_quota: !draft.limitQuota,
    ...(draft.limitQuota
      ? { remain_quota: Math.round((Number(draft.dollars) || 0) * unitsPerDollar) }
      : {}),
    model_limits_enabled: draft.limitModels,
    model_limits: draft.limitModels ? draft.models.join(',') : '',
    allow_ips: draft.ips.trim(),
    group: draft.group.trim(),
  }
}

function toLocalInput(seconds: number): string {
  const date = new Date(seconds * 1000)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
