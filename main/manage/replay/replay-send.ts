import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { fieldProblems } from '../../base/field-problems.ts'
import { stringifyExact } from '../../convert/json/exact-json.ts'
import type { Call } from '../../relay/call/call.ts'
import { usableGroups } from '../../relay/channel/groups.ts'
import { captureId } from '../captures/own-capture.ts'
import { callOf } from '../channels/maintenance/call-of.ts'
import { recordId } from '../operation/input-fields.ts'
import { defineOperation, defineStream, type OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { answerOf } from './answer-of.ts'
import { checkChannel } from './check-channel.ts'
import { changeBody, checkReplayBody, readReplayBody } from './replay-body.ts'
import { aliasesOf, groupOf, type ReplaySource, replaySource, wholeBody } from './replay-source.ts'
import { replayedHeaders } from './replayed-headers.ts'
import { replayedPath } from './replayed-path.ts'

const MEBIBYTE = 1024 * 1024

/** Names the new call in its answer; absent where nothing was sent. */
const REPLAY_ID = 'x-switchyard-replay'

const input = z.strictObject({
  capture: captureId.describe('Request id of the captured call.'),
  channel: recordId
    .optional()
    .describe('The only channel to try; administrators only. None = as the gateway routes it.'),
  model: z
    .string()
    .min(1, 'is empty: leave it out to keep the model')
    .max(500)
    .optional()
    .describe('In place of the model that the body or the path names.'),
  body: z
    .union(
      [z.string().max(64 * MEBIBYTE), z.record(z.string(), z.unknown())],
      fieldProblems.field_json_or_text,
    )
    .optional()
    .describe(
      'The body in the wire format of the original, as JSON or as its text; none = as it was sent.',
    ),
  stream: z.boolean().optional().describe('None = as the body or the path asks.'),
})

type ReplayInput = z.output<typeof input>

function bodyOf({ body }: ReplayInput, source: ReplaySource): Buffer {
  if (body === undefined) return wholeBody(source)
  return Buffer.from(typeof body === 'string' ? body : stringifyExact(body))
}

/** The request to send; throws for a body that the call's endpoint would refuse. */
function replayedRequest(replay: ReplayInput, context: OperationContext) {
  const source = replaySource(replay.capture, context)
  const change = { model: replay.model, stream: replay.stream }
  checkChannel(replay.channel, context)
  const at = replayedPath(source.capture.client.request.url, change)
  const body = changeBody(readReplayBody(bodyOf(replay, source)), at, change)
  const headers = replayedHeaders(source.capture.client.request.headers)
  return { source, at, body, headers, model: checkReplayBody(body, source.format, at, headers) }
}

/** The call that repeats the captured one; throws before anything is sent. */
function replayedCall(replay: ReplayInput, context: OperationContext): Call {
  const { source, at, body, headers, model } = replayedRequest(replay, context)
  const { capture, format } = source
  const { path, query, verb, asArray } = at
  const stream = at.streams || body.get('stream') === true
  const group = groupOf(replay.capture, context)
  const groups = usableGroups(signedIn(context), context.parts.settings.current)
  return callOf(
    {
      ...{ format, origin: 'replay', path, query, verb, stream, asArray, headers },
      ...{ model, aliases: aliasesOf(replay.capture, context) },
      json: body,
      replayOf: capture.id,
      group: group !== null && Object.hasOwn(groups, group) ? group : null,
      ...(replay.channel === undefined ? {} : { pinnedChannel: replay.channel }),
    },
    context,
    context.parts.captures,
  )
}

/** As `send`, up to the point where something would be sent. */
export const check = defineOperation({
  name: 'replay.check',
  summary: 'Checks a changed replay as its endpoint would; nothing is sent.',
  access: 'user',
  proof: 'session',
  http: { method: 'POST', path: '/api/replays/check' },
  input,
  output: z.strictObject({
    problem: z
      .strictObject({
        message: z.string(),
        field: z.string().nullable().describe('`messages[0].role`; null where none is named.'),
      })
      .nullable()
      .describe('Null where it can be sent.'),
  }),
  run(replay, context) {
    try {
      replayedRequest(replay, context)
      return { problem: null }
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      return { problem: { message: error.message, field: error.field ?? null } }
    }
  },
})

/** A captured call, sent again as it was or changed; booked to who sends it. */
export const send = defineStream({
  name: 'replay.send',
  summary:
    'Sends a captured call again, as it was or changed, and answers as its endpoint does. The header x-switchyard-replay is the new call’s request id.',
  access: 'user',
  proof: 'session',
  http: { method: 'POST', path: '/api/replays' },
  input,
  async run(replay, context) {
    const call = replayedCall(replay, context)
    const { status, headers, body } = await answerOf(call, context.parts)
    return { status, headers: { ...headers, [REPLAY_ID]: call.id }, body }
  },
})
