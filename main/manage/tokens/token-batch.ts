import { z } from 'zod'
import { recordIds } from '../operation/input-fields.ts'
import { defineOperation, type OperationContext } from '../operation/operation.ts'
import { ownTokens, readableKey } from './own-token.ts'

/** The named tokens that belong to the signed-in user. */
function ownAmong(ids: readonly number[], context: OperationContext) {
  const wanted = new Set(ids)
  return ownTokens(context).filter(({ id }) => wanted.has(id))
}

const batchDelete = defineOperation({
  name: 'token.batch-delete',
  summary: 'Deletes several of your own tokens and gives how many there were.',
  access: 'user',
  http: { method: 'POST', path: '/api/token/batch' },
  input: z.strictObject({ ids: recordIds(1000) }),
  output: z.int(),
  run: ({ ids }, context): number =>
    context.parts.tokens.remove(ownAmong(ids, context).map(({ id }) => id)),
})

const batchKeys = defineOperation({
  name: 'token.batch-keys',
  summary:
    'Shows the whole keys of several of your own tokens; ids that are none of yours are left out.',
  access: 'user',
  http: { method: 'POST', path: '/api/token/batch/keys' },
  limit: 'critical',
  input: z.strictObject({ ids: recordIds(100) }),
  output: z.strictObject({ keys: z.record(z.string(), z.string()).describe('By the id.') }),
  run: ({ ids }, context) => ({
    keys: Object.fromEntries(
      ownAmong(ids, context).map((token) => [String(token.id), readableKey(token, context)]),
    ),
  }),
})

export const tokenBatchOperations = [batchDelete, batchKeys] as const
