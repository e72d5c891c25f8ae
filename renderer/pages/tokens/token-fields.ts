import type { TokenDraft } from './token-draft.ts'

/** Characters, as the gateway takes them. */
export const longestTokenName = 50

/** The label of each field of the form, by its name in the API. */
export const tokenLabels = {
  name: 'tokens.name',
  expired_time: 'tokens.expiryLabel',
  remain_quota: 'tokens.quota',
  day_budget: 'tokens.dayBudget',
  month_budget: 'tokens.monthBudget',
  budget_warning: 'tokens.warning',
  requests_per_minute: 'tokens.requestRate',
  tokens_per_minute: 'tokens.tokenRate',
  model_limits: 'tokens.models',
  allow_ips: 'tokens.ips',
  group: 'tokens.group',
  cross_group_retry: 'tokens.crossGroupRetry',
} as const

type TokenField = keyof typeof tokenLabels

/** Props of each part of the form. */
export interface TokenFormPart {
  draft: TokenDraft
  set: (fields: Partial<TokenDraft>) => void
  /** The server's message by field. */
  at: Partial<Record<TokenField, string>>
}
