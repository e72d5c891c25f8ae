import type { OperationInput } from '../../../preload/contract.ts'
import { fromLocalInput, toLocalInput } from '../../components/format/local-time.ts'
import { dollarsOf, unitsOf } from '../../components/format/quota-units.ts'
import { changedFields } from '../../components/forms/changed-fields.ts'
import type { TokenRecord } from '../../gateway/records.ts'

const never = -1

/** The group that tries several in order. */
export const autoGroup = 'auto'

/** A token as the form edits it. */
export interface TokenDraft {
  name: string
  /** `2026-01-31T12:00` in local time; empty for never. */
  expires: string
  limitQuota: boolean
  /** Remaining US dollars, or the text being typed. */
  dollars: number | string
  /** US dollars, or the text being typed; empty for no limit. */
  dayDollars: number | string
  monthDollars: number | string
  /** Percent of a budget. */
  warning: number | string
  /** Per minute, or the text being typed; empty for no limit. */
  requestRate: number | string
  tokenRate: number | string
  limitModels: boolean
  models: string[]
  /** Names of models that only this token may call. */
  aliases: Record<string, string>
  /** One address or range per line. */
  ips: string
  /** Empty for the user's own. */
  group: string
  crossGroupRetry: boolean
}

export const newTokenDraft: TokenDraft = {
  name: '',
  expires: '',
  limitQuota: false,
  dollars: 10,
  dayDollars: '',
  monthDollars: '',
  warning: 80,
  requestRate: '',
  tokenRate: '',
  limitModels: false,
  models: [],
  aliases: {},
  ips: '',
  group: '',
  crossGroupRetry: false,
}

export function draftOfToken(token: TokenRecord): TokenDraft {
  return {
    name: token.name,
    expires: token.expired_time === never ? '' : toLocalInput(token.expired_time),
    limitQuota: !token.unlimited_quota,
    dollars: token.unlimited_quota ? newTokenDraft.dollars : dollarsOf(token.remain_quota),
    dayDollars: budgetText(token.day_budget),
    monthDollars: budgetText(token.month_budget),
    warning: token.budget_warning,
    requestRate: token.requests_per_minute ?? '',
    tokenRate: token.tokens_per_minute ?? '',
    limitModels: token.model_limits_enabled,
    models: token.model_limits.split(',').filter((model) => model !== ''),
    aliases: token.model_aliases,
    ips: token.allow_ips ?? '',
    group: token.group,
    crossGroupRetry: token.cross_group_retry,
  }
}

type TokenFields = Omit<OperationInput<'token.create'>, 'id' | 'status'>

export function fieldsOfToken(draft: TokenDraft): TokenFields {
  return {
    name: draft.name.trim(),
    expired_time: draft.expires === '' ? never : fromLocalInput(draft.expires),
    unlimited_quota: !draft.limitQuota,
    ...(draft.limitQuota ? { remain_quota: unitsOf(draft.dollars) } : {}),
    day_budget: budgetUnits(draft.dayDollars),
    month_budget: budgetUnits(draft.monthDollars),
    ...(hasBudget(draft) ? { budget_warning: Math.round(Number(draft.warning) || 0) } : {}),
    requests_per_minute: rateOf(draft.requestRate),
    tokens_per_minute: rateOf(draft.tokenRate),
    model_limits_enabled: draft.limitModels,
    model_limits: draft.limitModels ? draft.models.join(',') : '',
    allow_ips: draft.ips.trim(),
    group: draft.group.trim(),
    cross_group_retry: draft.group === autoGroup && draft.crossGroupRetry,
  }
}

/**
 * Only the fields that differ from `read`. The remaining quota shrinks with every call, and the form shows
 * an expiry without seconds.
 */
export function changesOfToken(
  draft: TokenDraft,
  read: TokenRecord,
): Omit<OperationInput<'token.update'>, 'id'> {
  const { remain_quota, ...changes } = changedFields(
    fieldsOfToken(draft),
    fieldsOfToken(draftOfToken(read)),
  )
  const removed = Object.keys(read.model_aliases).filter((alias) => !(alias in draft.aliases))
  return {
    ...changes,
    // An emptied field doesn't mean 0.
    ...(draft.dollars === '' || remain_quota === undefined ? {} : { remain_quota }),
    // Those that Connect adds meanwhile stay.
    ...(removed.length > 0 && { remove_aliases: removed }),
  }
}

export const hasBudget = ({ dayDollars, monthDollars }: TokenDraft): boolean =>
  dayDollars !== '' || monthDollars !== ''

const rateOf = (typed: number | string) => (typed === '' ? null : Math.round(Number(typed)))

const budgetText = (units: number | null) => (units === null ? '' : dollarsOf(units))

const budgetUnits = (dollars: number | string) => (dollars === '' ? null : unitsOf(dollars))
