import { codecOf } from '../../convert/codecs.ts'
import type { WireFormat } from '../../convert/exchange.ts'
import { JsonFields } from '../../convert/json/json-fields.ts'
import type { LossEntry } from '../../convert/loss.ts'
import type { Call } from '../../relay/call/call.ts'
import { type CallMemory, translateRequest } from '../../relay/translate/translate-request.ts'
import { callOf } from '../channels/maintenance/call-of.ts'
import type { OperationContext } from '../operation/operation.ts'
import { checkChannel } from '../replay/check-channel.ts'
import { replayedPath } from '../replay/replayed-path.ts'
import { ownToken } from '../tokens/own-token.ts'

/** A conversation to be sent as a client of a wire format would. */
export interface AskedConversation {
  format: WireFormat
  model: string
  channel?: number | undefined
  group?: string | undefined
  /** Id of the token to send as. */
  token?: number | undefined
  /** In the chat format. */
  body: Record<string, unknown>
  /** Fields that are added to the body as they are, over what stands there. */
  extra?: Record<string, unknown> | undefined
}

/** The request as it is sent. */
export interface MadeRequest {
  path: string
  query: string
  headers: Record<string, string>
  body: Record<string, unknown>
  /** Fields of the chat body that the format or the model has no room for. */
  losses: readonly LossEntry[]
}

const paths: Readonly<Record<WireFormat, string>> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
  'generate-content': '/v1beta/models/model:generateContent',
}

const noMemory: CallMemory = { resume: (request) => request, restore: (request) => request }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `extra` over `body`; objects in both are merged, so that one more field of `generationConfig` keeps the others. */
function merged(
  body: Record<string, unknown>,
  extra: Record<string, unknown>,
): Record<string, unknown> {
  const result = { ...body }
  for (const [name, value] of Object.entries(extra)) {
    const there = result[name]
    result[name] = isObject(there) && isObject(value) ? merged(there, value) : value
  }
  return result
}

/** The conversation in its wire format; throws `invalid_request` for what cannot be written in it. */
export function requestOf({ format, model, body, extra = {} }: AskedConversation): MadeRequest {
  const at = replayedPath(paths[format], { model, stream: true })
  const headers = { ...codecOf(format).requestHeaders }
  const chat = { ...body, model, stream: true, stream_options: { include_usage: true } }
  const made = { path: at.path, query: at.query, headers }
  if (format === 'chat') return { ...made, body: merged(chat, extra), losses: [] }
  // Clients that ask for an effort or a budget show the thoughts as well; the chat format has no field for it.
  const asksToThink = body.reasoning_effort !== undefined || body.thinking !== undefined
  const shown = asksToThink ? { include_reasoning: true } : {}
  const fields = new JsonFields(Buffer.from(JSON.stringify({ ...chat, ...shown })))
  codecOf('chat').checkRequest(fields, {})
  const translated = translateRequest(
    { format: 'chat', verb: 'generate', model, stream: true, headers: {}, body: fields },
    {
      ...{ format, model, stream: true, settings: {}, streamOptions: true },
      ...{ fetchFiles: false, caches: false },
    },
    noMemory,
  )
  return { ...made, body: merged(translated.body, extra), losses: [...translated.loss.entries] }
}

/** The call of a request, ready to be sent; `isCaptured` only where it will be. */
export function playgroundCall(
  asked: AskedConversation,
  request: MadeRequest,
  context: OperationContext,
  { isCaptured }: { isCaptured: boolean },
): Call {
  const { format, model, channel, group } = asked
  const token = asked.token === undefined ? null : ownToken(asked.token, context, 'token')
  checkChannel(channel, context)
  const { path, query, headers } = request
  const json = new JsonFields(Buffer.from(JSON.stringify(request.body)))
  const codec = codecOf(format)
  // Before the call is made: anything refused here is no call, and is not captured.
  codec.guard.check(json)
  codec.checkPathModel?.(json, model)
  codec.checkRequest(json, headers)
  return callOf(
    {
      ...{ format, origin: 'playground', path, query, model, stream: true, json, headers },
      ...{ token, group: group || null },
      ...(channel === undefined ? {} : { pinnedChannel: channel }),
    },
    context,
    isCaptured ? context.parts.captures : { begin: () => null },
  )
}
