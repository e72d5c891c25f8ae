import { z } from 'zod'
import { GatewayError } from '../../../base/errors.ts'
import type { Token } from '../../../store/records/tokens.ts'
import { tokenDraft } from '../../../transfer/draft-schemas.ts'
import type { TokenDraft } from '../../../transfer/transfer.ts'
import { previewOf } from '../../channels/channel-record.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { findOwner } from '../../operation/owner.ts'
import { readInput } from '../../operation/read-input.ts'
import { tokenFields, toTokenFields } from '../../tokens/token-fields.ts'
import { changesOf } from './changes.ts'
import { note } from './item-notes.ts'
import { freeName, type Plan, planEach } from './plan.ts'

/** A token as an export has it. */
export function toTokenDraft(token: Token, parts: GatewayParts, hasSecrets: boolean): TokenDraft {
  const holder = parts.users.byId(token.userId)
  return {
    name: token.name,
    user: !holder || holder.role === 100 ? null : holder.username,
    key: hasSecrets && token.key !== '' ? token.key : null,
    disabled: token.status === 2,
    expired_time: token.expiredTime,
    granted_quota: token.grantedQuota,
    unlimited_quota: token.unlimitedQuota,
    models: token.modelLimitsEnabled ? token.modelLimits : null,
    allow_ips: token.allowIps,
    group: token.group,
    cross_group_retry: token.crossGroupRetry,
    day_budget: token.dayBudget,
    month_budget: token.monthBudget,
    budget_warning: token.budgetWarning,
    requests_per_minute: token.requestsPerMinute,
    tokens_per_minute: token.tokensPerMinute,
    model_aliases: token.modelAliases,
  }
}

const inputSchema = z.strictObject(tokenFields)

/** Checked by the rules of the token form. */
function readFields(draft: TokenDraft): Partial<Token> {
  const fields = toTokenFields(
    readInput(inputSchema, {
      name: draft.name,
      expired_time: draft.expired_time,
      remain_quota: draft.granted_quota,
      unlimited_quota: draft.unlimited_quota,
      model_limits_enabled: draft.models !== null,
      model_limits: draft.models?.join(',') ?? '',
      allow_ips: draft.allow_ips.join('\n'),
      group: draft.group,
      cross_group_retry: draft.cross_group_retry,
      day_budget: draft.day_budget,
      month_budget: draft.month_budget,
      budget_warning: draft.budget_warning,
      requests_per_minute: draft.requests_per_minute,
      tokens_per_minute: draft.tokens_per_minute,
    }),
    0,
  )
  if (draft.key !== null && !/^[0-9A-Za-z_-]{16,200}$/.test(draft.key)) {
    throw new GatewayError('invalid_params', {
      message: `The key of the token "${draft.name}" must be 16 to 200 letters, digits, - or _.`,
      field: 'key',
      reason: { code: 'token_key_form', token: draft.name },
    })
  }
  return { ...fields, modelAliases: draft.model_aliases }
}

/** Compares the tokens of an import with those that are here: by key, else by holder and name. */
export function planTokens(
  entries: readonly unknown[],
  parts: GatewayParts,
  newUsers: ReadonlySet<string>,
): Plan {
  const taken = new Set<number>()
  const here = parts.tokens
    .all()
    .map((token) => ({ token, draft: toTokenDraft(token, parts, true) }))
  const matchOf = ({ key, user, name }: TokenDraft) => {
    const free = here.filter(({ token }) => !taken.has(token.id))
    const match =
      free.find(({ token }) => key !== null && token.key === key) ??
      free.find(({ draft }) => draft.user === user && draft.name === name)
    if (match) taken.add(match.token.id)
    return match
  }
  return planEach('tokens', entries, tokenDraft, (draft) => {
    const fields = readFields(draft)
    if (draft.user !== null && !parts.users.byUsername(draft.user) && !newUsers.has(draft.user)) {
      throw new GatewayError('invalid_params', {
        message: `Its user "${draft.user}" isn't here and isn't imported either.`,
        field: 'user',
        reason: { code: 'token_user_missing', user: draft.user },
      })
    }
    const match = matchOf(draft)
    const status = draft.disabled ? 2 : 1
    const add = (now: GatewayParts, name: string): void => {
      const isTaken = draft.key !== null && now.tokens.byKey(draft.key) !== undefined
      now.tokens.create({
        ...fields,
        name,
        status,
        userId: holderOf(draft, now),
        ...(draft.key !== null && !isTaken && { key: draft.key }),
      })
    }
    if (!match) {
      return {
        name: draft.name,
        state: 'new',
        changes: [],
        notes: draft.key === null ? [note('new_key')] : [],
        write: (_how, { parts: now }) => add(now, draft.name),
      }
    }
    const { key, ...rest } = draft
    const changes = changesOf<Partial<TokenDraft>>(
      match.draft,
      key === null ? rest : { ...rest, key },
      (token) => ({ ...token, key: previewOf(token.key ?? '') }),
    )
    const changed = changes.map(({ field }) => field)
    const isOther = changed.includes('key') || changed.includes('user')
    return {
      name: draft.name,
      state: changed.length === 0 ? 'same' : isOther ? 'conflict' : 'changed',
      changes,
      notes: [],
      write(how, { parts: now }) {
        const names = new Set(now.tokens.all().map(({ name }) => name))
        if (how === 'add')
          return add(
            now,
            freeName(draft.name, (name) => names.has(name)),
          )
        const userId = holderOf(draft, now)
        now.tokens.update(match.token.id, { ...fields, status, userId, ...(key && { key }) })
      },
    }
  })
}

function holderOf({ user }: TokenDraft, { users }: GatewayParts): number {
  const holder = user === null ? findOwner(users) : users.byUsername(user)
  if (holder) return holder.id
  throw new GatewayError('invalid_params', {
    message: `The user "${user}" of a token is not here. Tick that user as well.`,
    field: 'items',
    reason: { code: 'token_user_unticked', user: user ?? '' },
  })
}
