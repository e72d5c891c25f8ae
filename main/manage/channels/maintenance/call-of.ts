import { Cancellation } from '../../../base/cancellation.ts'
import type { CallFormat } from '../../../convert/call-format.ts'
import { JsonFields } from '../../../convert/json/json-fields.ts'
import type { Call } from '../../../relay/call/call.ts'
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
  json: Record<string, unknown>
  /** The form in place of the JSON body. */
  form?: FormBody
  headers?: Record<string, string>
  pinnedChannel?: number
  group?: string | null
  /** Ends the call, as does the end of the operation. */
  signal?: AbortSignal
}

/** Who makes a call of the console's own, and who waits for it. */
export type CallMaker = Pick<OperationContext, 'user' | 'requestId' | 'ip' | 'signal'>

/** A model call that the console makes in the name of the signed-in user. */
export function callOf(own: OwnCall, context: CallMaker): Call {
  const signal = own.signal ? AbortSignal.any([context.signal, own.signal]) : context.signal
  return {
    id: context.requestId,
    receivedAt: performance.now(),
    format: own.format,
    verb: 'generate',
    path: own.path,
    model: own.model,
    stream: own.stream,
    asArray: false,
    body: new JsonFields(Buffer.from(JSON.stringify(own.json))),
    form: own.form ?? null,
    // Not the browser's: its cookie is nobody else's business.
    headers: { ...(own.form ? {} : { 'content-type': 'application/json' }), ...own.headers },
    query: '',
    caller: {
      token: null,
      user: signedIn(context),
      ip: context.ip,
      pinnedChannel: own.pinnedChannel ?? null,
    },
    group: own.group ?? null,
    origin: own.origin,
    cancellation: Cancellation.of(signal),
  }
}
