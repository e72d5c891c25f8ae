import type { TokenDraft } from '../../transfer.ts'
import type { Carried } from '../carried.ts'
import type { Field } from '../text/field.ts'

const MOST_UNITS = Number.MAX_SAFE_INTEGER

const listOf = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** A token of the account that asks. A masked key can't be carried over: a new one is drawn. */
export function readToken(row: Field, carried: Carried): TokenDraft {
  const name = row.at('name').text() || `Token ${row.at('id').integer(0, MOST_UNITS) ?? ''}`
  const shown = row.at('key').text().replace(/^sk-/, '')
  const key = /^[A-Za-z0-9]{16,128}$/.test(shown) ? shown : null
  if (key === null) carried.leave(['token_key', name], 'masked_token')
  const remaining = row.at('remain_quota').integer(-MOST_UNITS, MOST_UNITS) ?? 0
  const used = row.at('used_quota').integer(0, MOST_UNITS) ?? 0
  const models = listOf(row.atOneOf('model_limits', 'models').text())
  const isLimited = row.at('model_limits_enabled').flag(models.length > 0)
  return {
    name,
    user: null,
    key,
    disabled: row.at('status').integer(0, 100) === 2,
    expired_time: row.at('expired_time').integer(-1, 1e11) ?? -1,
    // The new ledger has not counted what was used there.
    granted_quota: Math.max(0, Math.min(remaining, MOST_UNITS - used)),
    unlimited_quota: row.at('unlimited_quota').flag(false),
    models: isLimited ? models : null,
    allow_ips: listOf(row.atOneOf('allow_ips', 'subnet').text()),
    group: row.at('group').text(),
    cross_group_retry: row.at('cross_group_retry').flag(false),
    day_budget: null,
    month_budget: null,
    budget_warning: 80,
    requests_per_minute: null,
    tokens_per_minute: null,
    model_aliases: {},
  }
}
