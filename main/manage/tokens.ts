import { z } from 'zod'
import { GatewayError } from '../base/errors.ts'
import type { Token } from '../store/tokens.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { flag, pagingFields, recordId } from './input-fields.ts'
import { defineOperation, type OperationContext } from './operation.ts'
import { type Page, pageOf, readPaging } from './page.ts'
import { signedIn } from './signed-in.ts'
import { isPast, tokenFields, toTokenFields } from './token-fields.ts'
import { fullKey, isExhausted, isExpired, type TokenRecord, toTokenRecord } from './token-record.ts'
import { matchesPattern } from './token-search.ts'

const MOST_TOKENS = 1000

const refuse = (field: string, message: string): GatewayError =>
  new GatewayError('invalid_params', { message, field })

const ownTokens = (context: OperationContext): Token[] => {
  const user = signedIn(context)
  return context.parts.tokens
    .all()
    .filter(({ userId }) => userId === user.id)
    .sort((one, other) => other.id - one.id)
}

/** A token of another user is as unknown as one that does not exist. */
function ownToken(id: number, context: OperationContext): Token {
  const token = context.parts.tokens.byId(id)
  if (token && token.userId === signedIn(context).id) return token
  throw new GatewayError('not_found', { message: `There is no token ${id}.`, field: 'id' })
}

const list = defineOperation({
  name: 'token.list',
  access: 'user',
  http: { method: 'GET', path: '/api/token' },
  input: z.object(pagingFields),
  run: (input, context): Page<TokenRecord> =>
    pageOf(ownTokens(context), readPaging(input), (token) => toTokenRecord(token, context.parts)),
})

const search = defineOperation({
  name: 'token.search',
  access: 'user',
  http: { method: 'GET', path: '/api/token/search' },
  limit: 'search',
  input: z.object({
    ...pagingFields,
    keyword: z.string().max(100).optional().default(''),
    token: z.string().max(100).optional().default(''),
  }),
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
  access: 'user',
  http: { method: 'GET', path: '/api/token/:id' },
  input: z.object({ id: recordId }),
  run: ({ id }, context) => toTokenRecord(ownToken(id, context), context.parts),
})

const create = defineOperation({
  name: 'token.create',
  access: 'user',
  http: { method: 'POST', path: '/api/token' },
  input: z.strictObject({
    ...tokenFields,
    id: z.unknown().optional(),
    status: z.unknown().optional(),
  }),
  run(input, context): TokenRecord {
    const { parts } = context
    if (input.name === undefined) throw refuse('name', 'The token needs a name.')
    if (isPast(input.expired_time)) throw refuse('expired_time', 'The expiry is in the past.')
    if (ownTokens(context).length >= MOST_TOKENS) {
      throw new GatewayError('conflict', {
        message: `There are ${MOST_TOKENS} tokens already. Delete some that are not used any more.`,
      })
    }
    const token = parts.tokens.create({
      ...toTokenFields(input, 0),
      userId: signedIn(context).id,
    })
    return { ...toTokenRecord(token, parts), key: fullKey(token) }
  },
})

/** Enabling a token that would be refused at once helps nobody: the cause has to go first. */
function refuseUseless(token: Token, parts: GatewayParts): void {
  if (isExpired(token)) {
    throw refuse('status', `The token "${token.name}" has expired. Give it a later expiry first.`)
  }
  if (isExhausted(token, parts.ledger.totals('token', token.id).quota)) {
    throw refuse('status', `The token "${token.name}" has used up its quota. Add quota first.`)
  }
}

const update = defineOperation({
  name: 'token.update',
  access: 'user',
  http: { method: 'PUT', path: '/api/token' },
  input: z.strictObject({
    ...tokenFields,
    id: recordId,
    status: z.literal([1, 2, 3, 4], 'must be 1 (enabled) or 2 (disabled)').optional(),
    /** Any non-empty text but `0` and `false`. */
    status_only: z.union([flag, z.int(), z.string()]).optional(),
  }),
  run(input, context): TokenRecord {
    const { parts } = context
    const token = ownToken(input.id, context)
    const used = parts.ledger.totals('token', token.id).quota
    const before = toTokenRecord(token, parts)
    if (input.status_only && input.status === undefined) {
      throw refuse('status', 'Say which status: 1 (enabled) or 2 (disabled).')
    }
    const fields: Partial<Token> = input.status_only ? {} : toTokenFields(input, used)
    // An expiry that has passed may stay as it is, but none can be set into the past.
    if (fields.expiredTime !== token.expiredTime && isPast(fields.expiredTime)) {
      throw refuse('expired_time', 'The expiry is in the past.')
    }
    // 3 and 4 are computed: sent back as they were read they mean "enabled", as it is stored.
    const status = input.status === 3 || input.status === 4 ? undefined : input.status
    const changed = { ...token, ...definedFields(fields), status: status ?? token.status }
    if (status === 1 && before.status !== 1) refuseUseless(changed, parts)
    return toTokenRecord(parts.tokens.update(token.id, { ...fields, status }), parts)
  },
})

const definedFields = (fields: Partial<Token>): Partial<Token> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const remove = defineOperation({
  name: 'token.delete',
  access: 'user',
  http: { method: 'DELETE', path: '/api/token/:id' },
  input: z.object({ id: recordId }),
  run({ id }, context): void {
    context.parts.tokens.remove([ownToken(id, context).id])
  },
})

const reveal = defineOperation({
  name: 'token.reveal',
  access: 'user',
  http: { method: 'POST', path: '/api/token/:id/key' },
  limit: 'critical',
  input: z.strictObject({ id: recordId }),
  run({ id }, context) {
    const token = ownToken(id, context)
    if (token.key === '') {
      throw new GatewayError('conflict', {
        message: `The key of "${token.name}" cannot be read any more. Delete the token and create a new one.`,
      })
    }
    return { key: fullKey(token) }
  },
})

export const tokenOperations = [list, search, get, create, update, remove, reveal] as const
