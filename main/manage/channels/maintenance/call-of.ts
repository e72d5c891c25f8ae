import { Cancellation } from '../../../base/cancellation.ts'
import type { Captures } from '../../../capture/captures.ts'
import type { CallFormat } from '../../../convert/call-format.ts'
import { JsonFields } from '../../../convert/json/json-fields.ts'
import { ownNames } from '../../../relay/call/asked-model.ts'
import type { Call, CallVerb } from '../../../relay/call/call.ts'
import type { Token } from '../../../store/records/tokens.ts'
import type { FormBody } from '../../../upstream/form/form-data.ts'
import type { OperationContext } from '../../operation/operation.ts'
import { signedIn } from '../../operation/signed-in.ts'

interface OwnCall {
  format: CallFormat
  /** For the log: which of the console's acts it is. */
  origin: string
  path: string
  model: string
  stream: boolean
  /** The body; one that is there as bytes is sent as it is. */
  json: Record<string, unknown> | JsonFields
  /** The form in place of the JSON body. */
  form?: FormBody
  headers?: Record<string, string>
  pinnedChannel?: number
  group?: string | null
  /** Its limits and budgets apply, and what is used counts for it. */
  token?: Token | null
  /** Ends the call, as does the end of the operation. */
  signal?: AbortSignal
  verb?: CallVerb
  /** Query without a key, as `beta=true`. */
  query?: string
  asArray?: boolean
  /** Names of models in place of those that the token has. */
  aliases?: Pick<Token, 'modelAliases'>
  /** Request id of the call that this one repeats. */
  replayOf?: string
}

/** Who makes a call of the console's own, and who waits for it. */
export type CallMaker = Pick<OperationContext, 'user' | 'requestId' | 'ip' | 'signal'>

/** A model call that the console makes in the name of the signed-in user. */
export function callOf(own: OwnCall, context: CallMaker, captures: Pick<Captures, 'begin'>): Call {
  const { format, path, json, query = '', token = null } = own
  const user = signedIn(context)
  const receivedAt = performance.now()
  const body = json instanceof JsonFields ? json : new JsonFields(Buffer.from(JSON.stringify(json)))
  const named = ownNames(own.aliases ?? token, own.model, body)
  // Not the browser's: its cookie is nobody else's business.
  const headers = { ...(own.form ? {} : { 'content-type': 'application/json' }), ...own.headers }
  const capture = captures.begin({
    ...{
      id: context.requestId,
      receivedAt,
      userId: user.id,
      tokenId: token?.id ?? 0,
      format,
      model: named.model,
      headers,
    },
    ...{ method: 'POST', url: query === '' ? path : `${path}?${query}` },
  })
  const { form } = own
  if (form) capture?.sentForm(() => form.facts)
  else capture?.sent(body.pieces)
  const signal = own.signal ? AbortSignal.any([context.signal, own.signal]) : context.signal
  return {
    id: context.requestId,
    receivedAt,
    format,
    verb: own.verb ?? 'generate',
    path,
    ...named,
    stream: own.stream,
    asArray: own.asArray ?? false,
    form: form ?? null,
    headers,
    query,
    caller: {
      token,
      user,
      ip: context.ip,
      pinnedChannel: own.pinnedChannel ?? null,
    },
    group: own.group ?? null,
    origin: own.origin,
    ...(own.replayOf === undefined ? {} : { replayOf: own.replayOf }),
    cancellation: Cancellation.of(signal),
    capture,
  }
}
