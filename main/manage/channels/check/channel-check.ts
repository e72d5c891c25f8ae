import { z } from 'zod'
import { recordId } from '../../operation/input-fields.ts'
import { defineOperation } from '../../operation/operation.ts'
import { channelFields } from '../channel-fields.ts'
import { type CheckResult, checkResult } from './check-result.ts'
import { checkedChannel } from './checked-channel.ts'
import { runCheck } from './run-check.ts'

const checkChannel = defineOperation({
  name: 'channel.check',
  summary:
    "Checks a channel before it is saved: lists the vendor's models, then makes one tiny call, with each key that is sent. With `id` the fields are changes of a stored channel, whose key is only sent to its stored address.",
  access: 'admin',
  http: { method: 'POST', path: '/api/channel/check' },
  input: z.strictObject({ ...channelFields, id: recordId.optional() }),
  output: checkResult,
  run: (input, context): Promise<CheckResult> => runCheck(checkedChannel(input, context), context),
})

export const channelCheckOperations = [checkChannel] as const
