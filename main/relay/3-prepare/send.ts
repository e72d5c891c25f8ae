import type { Adaptor, LocalFile } from '../../adaptor/adaptor.ts'
import type { Cancellation } from '../../base/cancellation.ts'
import type { ExchangeCapture } from '../../capture/exchange-capture.ts'
import type { CallFormat } from '../../convert/call-format.ts'
import { readingJson } from '../../convert/json/invalid-json.ts'
import type { OutgoingForm } from '../../upstream/form/form-data.ts'
import { localAnswer } from '../../upstream/local-answer.ts'
import type { UpstreamAnswer } from '../../upstream/request.ts'
import { sendUpstream } from '../../upstream/send-upstream.ts'
import type { Call } from '../call/call.ts'
import { type ConnectionServices, connectionOf } from '../channel/channel-connection.ts'
import { withheldFrom } from '../channel/channel-secrets.ts'
import { bridgeRequest } from '../translate/bridge-request.ts'
import type { Place } from './prepared-call.ts'

/** One request to an upstream. */
export interface OutgoingRequest {
  /** The wire format that the upstream is called in. */
  format: CallFormat
  /** Is the upstream asked for a stream? */
  stream: boolean
  /** Gemini's streams only: as events, not as one JSON array. */
  altSse: boolean
  url: string
  headers: Record<string, string>
  /** The caller's own bytes where nothing had to change, in the pieces in which they came. */
  body: Buffer | readonly Buffer[]
  /** A form's bytes, in place of `body`. */
  form: OutgoingForm | null
}

/** The request as objects, for an upstream within this process. */
async function localBody(
  call: Call,
  { form, stream, body }: OutgoingRequest,
): Promise<{ body: Record<string, unknown>; files: readonly LocalFile[]; stream: boolean }> {
  // A form says only in its fields whether it asks for a stream.
  if (form) return bridgeRequest(call)
  // Bytes that did not change have been parsed, or will be only once.
  if (body === call.body.pieces) return { body: call.body.parse(), files: [], stream }
  const whole = Buffer.isBuffer(body) ? body : Buffer.concat(body)
  return {
    body: readingJson(() => JSON.parse(whole.toString('utf8')) as Record<string, unknown>),
    files: [],
    stream,
  }
}

/** Asks an upstream within this process. */
async function sendLocally(
  local: NonNullable<Adaptor['local']>,
  call: Call,
  model: string,
  request: OutgoingRequest,
  cancellation: Cancellation,
  exchange: ExchangeCapture | null,
): Promise<UpstreamAnswer> {
  const asked = await localBody(call, request)
  const controller = new AbortController()
  cancellation.listen((reason) => controller.abort(reason))
  const { format, altSse } = request
  const { verb } = call
  const { signal } = controller
  const source = local.answer({ ...asked, format, verb, model, altSse, signal })
  return localAnswer(source, exchange, () => controller.abort())
}

/** Sends a request and gives its answer when the head of it is there. */
export function send(
  call: Call,
  place: Place,
  request: OutgoingRequest,
  cancellation: Cancellation,
  services: ConnectionServices,
): Promise<UpstreamAnswer> {
  const exchange = captureExchange(call, place, request)
  const { local } = place.adaptor
  if (!local) return sendOut(call, place, request, cancellation, exchange, services)
  const answer = sendLocally(local, call, place.upstreamModel, request, cancellation, exchange)
  if (exchange) answer.catch((error: unknown) => exchange.onFailure(error))
  return answer
}

function captureExchange(
  { capture }: Call,
  { channel, upstreamModel }: Place,
  { url, headers, body, form, format }: OutgoingRequest,
): ExchangeCapture | null {
  if (!capture) return null
  const { id: channelId, name: channelName } = channel
  const exchange = capture.exchange(
    { channelId, channelName, model: upstreamModel, format },
    { method: 'POST', url, headers },
    form ? null : body,
  )
  if (form) exchange.sentForm(form.facts)
  return exchange
}

function sendOut(
  call: Call,
  { channel, target }: Place,
  request: OutgoingRequest,
  cancellation: Cancellation,
  exchange: ExchangeCapture | null,
  services: ConnectionServices,
): Promise<UpstreamAnswer> {
  const { url, headers, body, form } = request
  const { proxy, limits, checkAddress, checkThrough } = connectionOf(channel, url, services)
  return sendUpstream({
    method: 'POST',
    url,
    headers,
    body: form ? form.bytes : body,
    contentLength: form ? form.contentLength : null,
    cancellation,
    watcher: exchange,
    proxy,
    limits,
    checkAddress,
    checkThrough,
    withheld: withheldFrom(call, channel, target),
  })
}
