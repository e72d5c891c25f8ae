import type { TokenDraft } from './token-draft.ts'

/** API names of the fields of the form, to put a refusal beside its field. */
export const tokenFields = [
  'name',
  'expired_time',
  'remain_quota',
  'day_budget',
  'month_budget',
  'budget_warning',
  'requests_per_minute',
  'tokens_per_minute',
  'model_limits',
  'allow_ips',
  'group',
  'cross_group_retry',
] as const

type TokenField = (typeof tokenFields)[number]

/** Props of each part of the form. */
export interface TokenFormPart {
  draft: TokenDraft
  set: (fields: Partial<TokenDraft>) => void
  /** The server's message by field. */
  at: Partial<Record<TokenField, string>>
}
