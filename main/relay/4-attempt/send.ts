import type { Adaptor, LocalFile } from '../../adaptor/adaptor.ts'
import type { Cancellation } from '../../base/cancellation.ts'
import { readingJson } from '../../convert/json/invalid-json.ts'
import { localAnswer } from '../../upstream/local-answer.ts'
import type { UpstreamAnswer } from '../../upstream/request.ts'
import { sendUpstream } from '../../upstream/send-upstream.ts'
import type { Prepared } from '../3-prepare/prepare.ts'
import type { Call, RelayParts } from '../call/call.ts'
import { connectionOf } from '../channel/channel-connection.ts'
import { withheldFrom } from '../channel/channel-secrets.ts'
import { wayRequest } from '../translate/bridge-call.ts'

/** What the upstream inside is asked with, in objects. */
async function localBody(
  call: Call,
  { form, stream }: Prepared,
  body: Buffer | readonly Buffer[],
): Promise<{ body: Record<string, unknown>; files: readonly LocalFile[]; stream: boolean }> {
  // Of a form only its fields tell whether a stream is asked for.
  if (form) return wayRequest(call)
  // Bytes that did not change have been parsed, or will be only once.
  if (body === call.body.pieces) return { body: call.body.parse(), files: [], stream }
  const whole = Buffer.isBuffer(body) ? body : Buffer.concat(body)
  return {
    body: readingJson(() => JSON.parse(whole.toString('utf8')) as Record<string, unknown>),
    files: [],
    stream,
  }
}

/** Asks what answers within this process. */
async function sendLocally(
  local: NonNullable<Adaptor['local']>,
  call: Call,
  prepared: Prepared,
  body: Buffer | readonly Buffer[],
  cancellation: Cancellation,
): Promise<UpstreamAnswer> {
  const asked = await localBody(call, prepared, body)
  const controller = new AbortController()
  cancellation.listen((reason) => controller.abort(reason))
  const { format, translation, upstreamModel } = prepared
  const source = local.answer({
    ...asked,
    format,
    verb: call.verb,
    model: upstreamModel,
    altSse: translation !== null || !call.asArray,
    signal: controller.signal,
  })
  return localAnswer(source, () => controller.abort())
}

/** Asks the upstream with one body and gives its answer when the head of it is there. */
export function send(
  call: Call,
  prepared: Prepared,
  body: Buffer | readonly Buffer[],
  cancellation: Cancellation,
  parts: RelayParts,
): Promise<UpstreamAnswer> {
  const { adaptor, channel, target, url, headers, form } = prepared
  if (adaptor.local) return sendLocally(adaptor.local, call, prepared, body, cancellation)
  const { proxy, limits, checkAddress, checkThrough } = connectionOf(channel, url, parts)
  return sendUpstream({
    method: 'POST',
    url,
    headers,
    body: form ? form.bytes : body,
    contentLength: form ? form.contentLength : null,
    cancellation,
    proxy,
    limits,
    checkAddress,
    checkThrough,
    withheld: withheldFrom(call, channel, target),
  })
}
