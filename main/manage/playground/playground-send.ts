import { z } from 'zod'
import { fieldProblems } from '../../base/field-problems.ts'
import { recordId } from '../operation/input-fields.ts'
import { defineStream } from '../operation/operation.ts'
import { answerOf } from '../replay/answer-of.ts'
import { refuseAccessTokens } from './playground-call.ts'
import { playgroundCall, requestOf } from './playground-request.ts'

const PATH = '/pg/send'
/** Bytes: pictures, sounds and documents stand in the conversation as base64. */
export const CONVERSATION_LIMIT = 64 * 1024 * 1024

/** Names the new call in its answer. */
const CALL_ID = 'x-switchyard-call'

/** A conversation as the console composes it, and the client that it is sent as. */
export const conversation = z.strictObject({
  format: z
    .enum(['chat', 'responses', 'messages', 'generate-content'])
    .default('chat')
    .describe('The wire format in which the conversation is sent, as any of its clients would.'),
  model: z.string().min(1, fieldProblems.field_missing),
  channel: recordId
    .optional()
    .describe('The only channel to try; administrators only. None = as the gateway routes it.'),
  group: z.string().optional(),
  token: recordId
    .optional()
    .describe(
      'One of your tokens to send as: its limits, budgets and group apply. None = as yourself.',
    ),
  body: z
    .looseObject({
      messages: z.array(z.looseObject({ role: z.string() })).min(1, 'needs at least one message'),
    })
    .describe('The request in the chat format, without model and stream.'),
  extra: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Fields of the wire format that are added to the request as they are.'),
})

export const send = defineStream({
  name: 'playground.send',
  summary:
    'Sends a conversation in any wire format, to a channel of your choice, and streams the answer in that format. The header x-switchyard-call is the call’s request id.',
  access: 'user',
  http: { method: 'POST', path: PATH },
  bodyLimit: CONVERSATION_LIMIT,
  input: conversation,
  before: refuseAccessTokens('/v1/chat/completions'),
  async run(asked, context) {
    const call = playgroundCall(asked, requestOf(asked), context, { isCaptured: true })
    const { status, headers, body } = await answerOf(call, context.parts)
    return { status, headers: { ...headers, [CALL_ID]: call.id }, body }
  },
})
