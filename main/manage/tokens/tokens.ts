import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { fieldProblems } from '../../base/field-problems.ts'
import type { Reason } from '../../base/reason.ts'
import { usableGroups } from '../../relay/channel/groups.ts'
import { omitUndefined } from '../../store/records/omit-undefined.ts'
import type { Token } from '../../store/records/tokens.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { filterText, flag, pagingFields, recordId } from '../operation/input-fields.ts'
import { defineOperation, type OperationContext } from '../operation/operation.ts'
import { type Page, pageOf, pageOutput, readPaging } from '../operation/page.ts'
import { signedIn } from '../operation/signed-in.ts'
import { ownToken, ownTokens, readableKey } from './own-token.ts'
import { tokenBatchOperations } from './token-batch.ts'
import { isPast, type TokenInput, tokenFields, toTokenFields } from './token-fields.ts'
import {
  fullKey,
  isExhausted,
  isExpired,
  type TokenRecord,
  tokenRecord,
  toTokenRecord,
} from './token-record.ts'

/**
 * A test for "is this what was looked for": equal, or with `%` standing for any text. At most two `%`
 * and at least two other characters, so that nobody asks for everything by accident.
 */
export function matchesPattern(field: string, pattern: string): (text: string) => boolean {
  const wanted = pattern.trim()
  if (wanted === '') return () => true
  const parts = wanted.split('%')
  if (parts.length === 1) return (text) => text === wanted
  if (parts.length > 3) {
    throw new GatewayError('invalid_params', {
      message: 'Use at most two "%" in a search.',
      field,
      reason: { code: 'search_many_wildcards' },
    })
  }
  if (parts.join('').length < 2) {
    throw new GatewayError('invalid_params', {
      message: 'A search with "%" needs at least two other characters.',
      field,
      reason: { code: 'search_short' },
    })
  }
  const [start = '', ...rest] = parts
  const end = rest.pop() ?? ''
  return (text) => {
    if (!text.startsWith(start) || !text.endsWith(end)) return false
    const middle = text.slice(start.length, text.length - end.length)
    return text.length >= start.length + end.length && rest.every((part) => middle.includes(part))
  }
}

/** The group that walks through others (management-api §13.2). */
const AUTO = 'auto'

function checkGroup(group: string, usable: Readonly<Record<string, string>>): void {
  if (group === '' || Object.hasOwn(usable, group)) return
  throw new GatewayError('invalid_params', {
    message: `You may not use the group "${group}". Choose one of ${Object.keys(usable).join(', ')}, or none for your own.`,
    field: 'group',
    reason: { code: 'group_unusable', group, groups: Object.keys(usable).join(', ') },
  })
}

/**
 * The group of a token and how it is used, as far as they are to change. A group that was taken away since
 * may stay as it is, so that the rest of the token can still be edited.
 */
function groupFields(
  input: Pick<TokenInput, 'group' | 'cross_group_retry'>,
  before: Pick<Token, 'group' | 'crossGroupRetry'> | null,
  context: OperationContext,
): Pick<Partial<Token>, 'group' | 'crossGroupRetry'> {
  const settings = context.parts.settings.current
  const usable = usableGroups(signedIn(context), settings)
  const standard = settings.DefaultUseAutoGroup && Object.hasOwn(usable, AUTO) ? AUTO : ''
  const group = input.group ?? before?.group ?? standard
  if (group !== before?.group) checkGroup(group, usable)
  const crossGroupRetry = input.cross_group_retry ?? before?.crossGroupRetry ?? false
  // Clients send the switch along when they choose another group, where it means nothing.
  return { group, crossGroupRetry: crossGroupRetry && group === AUTO }
}

const refuse = (field: string, message: string, reason: Reason): GatewayError =>
  new GatewayError('invalid_params', { message, field, reason })

/** One that is gone already needs no removal: Connect may have removed it after the token was read. */
const aliasesWithout = (removed: readonly string[], { modelAliases }: Token) =>
  Object.fromEntries(Object.entries(modelAliases).filter(([alias]) => !removed.includes(alias)))

const list = defineOperation({
  name: 'token.list',
  summary: 'Lists your own tokens, newest first, with their keys masked.',
  access: 'user',
  http: { method: 'GET', path: '/api/token' },
  input: z.object({
    ...pagingFields,
    keyword: filterText.describe('A part of the name, in any case.'),
  }),
  output: pageOutput(tokenRecord),
  run(input, context): Page<TokenRecord> {
    const wanted = input.keyword.toLowerCase()
    const found = ownTokens(context).filter(({ name }) => name.toLowerCase().includes(wanted))
    return pageOf(found, readPaging(input), (token) => toTokenRecord(token, context.parts))
  },
})

const search = defineOperation({
  name: 'token.search',
  summary: 'Finds your own tokens by their whole name or key, or with % for any text.',
  access: 'user',
  http: { method: 'GET', path: '/api/token/search' },
  limit: 'search',
  input: z.object({
    ...pagingFields,
    keyword: z.string().max(100).optional().default(''),
    token: z.string().max(100).optional().default('').describe('With or without `sk-`.'),
  }),
  output: pageOutput(tokenRecord),
  run(input, context): Page<TokenRecord> {
    const key = input.token.trim().replace(/^sk-/, '')
    const hasName = matchesPattern('keyword', input.keyword)
    const hasKey = matchesPattern('token', key)
    const found = ownTokens(context).filter((token) => hasName(token.name) && hasKey(token.key))
    return pageOf(found, readPaging(input), (token) => toTokenRecord(token, context.parts))
  },
})

const get = defineOperation({
  name: 'token.get',
  summary: 'Gives one of your own tokens, with its key masked.',
  access: 'user',
  http: { method: 'GET', path: '/api/token/:id' },
  input: z.object({ id: recordId }),
  output: tokenRecord,
  run: ({ id }, context) => toTokenRecord(ownToken(id, context), context.parts),
})

const create = defineOperation({
  name: 'token.create',
  summary: 'Makes a token and shows its whole key, once.',
  access: 'user',
  http: { method: 'POST', path: '/api/token' },
  input: z.strictObject({
    ...tokenFields,
    name: tokenFields.name.unwrap(),
    id: z.unknown().optional(),
    status: z.unknown().optional(),
  }),
  output: tokenRecord,
  run(input, context): TokenRecord {
    const { parts } = context
    if (isPast(input.expired_time))
      throw refuse('expired_time', 'The expiry is in the past. Choose a later one.', {
        code: 'expiry_past',
      })
    const most = parts.settings.current['token_setting.max_user_tokens']
    if (ownTokens(context).length >= most) {
      throw new GatewayError('conflict', {
        message: `You have ${most} tokens already. Delete some that are not used any more.`,
        reason: { code: 'many_tokens', most },
      })
    }
    const token = parts.tokens.create({
      ...toTokenFields(input, 0),
      ...groupFields(input, null, context),
      userId: signedIn(context).id,
    })
    return { ...toTokenRecord(token, parts), key: fullKey(token) }
  },
})

/** Enabling a token that would be refused at once helps nobody: the cause has to go first. */
function refuseUseless(token: Token, parts: GatewayParts): void {
  if (isExpired(token)) {
    throw refuse('status', `The token "${token.name}" has expired. Give it a later expiry first.`, {
      code: 'token_expired_edit',
      token: token.name,
    })
  }
  if (isExhausted(token, parts.ledger.totals('token', token.id).quota)) {
    throw refuse('status', `The token "${token.name}" has used up its quota. Add quota first.`, {
      code: 'token_exhausted_edit',
      token: token.name,
    })
  }
}

const update = defineOperation({
  name: 'token.update',
  summary: 'Changes the named fields of one of your own tokens, or its status only.',
  access: 'user',
  http: { method: 'PUT', path: '/api/token' },
  input: z.strictObject({
    ...tokenFields,
    remove_aliases: z
      .array(z.string().max(255))
      .max(1000, 'can name at most 1000 aliases')
      .default([])
      .describe('Names that the token is to have for no model any more.'),
    id: recordId,
    status: z.literal([1, 2, 3, 4], fieldProblems.field_status).optional(),
    status_only: z
      .union([flag, z.int(), z.string()])
      .optional()
      .describe('Any non-empty text but `0` and `false`: only the status is changed.'),
  }),
  output: tokenRecord,
  run(input, context): TokenRecord {
    const { parts } = context
    const token = ownToken(input.id, context)
    const used = parts.ledger.totals('token', token.id).quota
    const before = toTokenRecord(token, parts)
    if (input.status_only && input.status === undefined) {
      throw refuse('status', 'The field "status" is missing. Use 1 (enabled) or 2 (disabled).', {
        code: 'field_missing',
      })
    }
    const fields: Partial<Token> = input.status_only
      ? {}
      : {
          ...toTokenFields(input, used),
          ...groupFields(input, token, context),
          modelAliases: aliasesWithout(input.remove_aliases, token),
        }
    // An expiry that has passed may stay as it is, but none can be set into the past.
    if (fields.expiredTime !== token.expiredTime && isPast(fields.expiredTime)) {
      throw refuse('expired_time', 'The expiry is in the past. Choose a later one.', {
        code: 'expiry_past',
      })
    }
    // 3 and 4 are computed: sent back as they were read they mean "enabled", as it is stored.
    const status = input.status === 3 || input.status === 4 ? undefined : input.status
    const changed = { ...token, ...omitUndefined(fields), status: status ?? token.status }
    if (status === 1 && before.status !== 1) refuseUseless(changed, parts)
    return toTokenRecord(parts.tokens.update(token.id, { ...fields, status }), parts)
  },
})

const remove = defineOperation({
  name: 'token.delete',
  summary: 'Deletes one of your own tokens; its key opens nothing any more.',
  access: 'user',
  http: { method: 'DELETE', path: '/api/token/:id' },
  input: z.object({ id: recordId }),
  output: z.undefined(),
  run({ id }, context): undefined {
    context.parts.tokens.remove([ownToken(id, context).id])
  },
})

const reveal = defineOperation({
  name: 'token.reveal',
  summary: 'Shows the whole key of one of your own tokens.',
  access: 'user',
  http: { method: 'POST', path: '/api/token/:id/key' },
  limit: 'critical',
  input: z.strictObject({ id: recordId }),
  output: z.strictObject({ key: z.string() }),
  run: ({ id }, context) => ({ key: readableKey(ownToken(id, context), context) }),
})

export const tokenOperations = [
  list,
  search,
  get,
  create,
  update,
  remove,
  reveal,
  ...tokenBatchOperations,
] as const
