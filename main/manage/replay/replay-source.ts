import { GatewayError } from '../../base/errors.ts'
import type { Reason } from '../../base/reason.ts'
import { parseJson } from '../../base/text/parse-json.ts'
import type { Capture } from '../../capture/capture.ts'
import type { CallFormat } from '../../convert/call-format.ts'
import { codecOf, traitsOf } from '../../convert/codecs.ts'
import { asObject } from '../../convert/json/json-value.ts'
import { bytesOf, isCutBody, keptOf } from '../../inspect/body/body-content.ts'
import type { Token } from '../../store/records/tokens.ts'
import { findTimelineRow } from '../calls/find-timeline-row.ts'
import { captureGone, visibleCapture } from '../captures/own-capture.ts'
import { hasAdministratorRole } from '../operation/has-administrator-role.ts'
import type { OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'

const FIELD = 'capture'

const refusal = (message: string, reason: Reason) =>
  new GatewayError('conflict', { message, field: FIELD, reason })

function rowOf(id: string, context: OperationContext) {
  const user = signedIn(context)
  const isAdministrator = hasAdministratorRole(user)
  const viewer = { userId: user.id, isAdministrator, showsIp: false }
  try {
    return findTimelineRow(id, viewer, context.parts)
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'not_found') return null
    throw error
  }
}

const isSession = (other: string): boolean => other.includes('"wire_format":"realtime"')

/** Why there is nothing to send again of a call without a capture. */
function whyGone(id: string, context: OperationContext): GatewayError {
  const found = rowOf(id, context)
  if (found?.source === 'refused') {
    const { status, content } = found.row
    return refusal(
      `The request was refused before it became a call (${status}: ${content}), and its body was not kept. There is nothing to replay.`,
      { code: 'refused_before_call', status, said: content },
    )
  }
  if (found && isSession(found.row.other)) return refusal(SESSION, { code: 'session_unreplayable' })
  return captureGone(FIELD)
}

const SESSION =
  'This was a WebSocket session. Its messages depend on each other, so it can’t be replayed as one call.'

/** The client's format; throws where the call has none in which it could be sent again. */
function formatOf({ format, frames }: Capture): CallFormat {
  if (frames || format === 'realtime') throw refusal(SESSION, { code: 'session_unreplayable' })
  if (traitsOf(format as CallFormat).format === undefined) {
    throw refusal('The request was refused before its format was known, so it can’t be replayed.', {
      code: 'refused_without_format',
    })
  }
  return format as CallFormat
}

function refuseForm({ client, format }: Capture): void {
  const { files, headers } = client.request
  const isForm = headers.some(
    ([name, value]) => name.toLowerCase() === 'content-type' && /^multipart\//i.test(value),
  )
  if (!files && !isForm && codecOf(format as CallFormat).form?.orJson !== false) return
  const named = (files ?? []).map(
    ({ field, name, size }) => `${field} (“${name}”, ${size.toLocaleString('en')} bytes)`,
  )
  throw refusal(
    `The call was a form, and its files are not kept: ${named.join(', ') || 'none was named'}. Send it again from its client.`,
    { code: 'form_unreplayable', files: named.join(', ') || '–' },
  )
}

/** A captured call that can be sent again. */
export interface ReplaySource {
  capture: Capture
  format: CallFormat
  /** The client's body as it was sent; null where it is not whole. */
  body: Buffer | null
}

/**
 * The capture to replay, if who asks may see it. Throws where nothing of it can be sent: `not_found` for one that is
 * gone, `conflict` for a form, a session or a request of unknown format.
 */
export function replaySource(id: string, context: OperationContext): ReplaySource {
  const capture = visibleCapture(id, context)
  if (!capture) throw whyGone(id, context)
  const format = formatOf(capture)
  refuseForm(capture)
  const { body } = capture.client.request
  return { capture, format, body: isCutBody(body) ? null : bytesOf(body) }
}

/** The body as the client sent it; throws `conflict` where it was cut. */
export function wholeBody({ capture, body }: ReplaySource): Buffer {
  if (body) return body
  const { body: kept } = capture.client.request
  throw refusal(
    `The request was cut at ${keptOf(kept).toLocaleString('en')} of ${kept.size.toLocaleString('en')} bytes, so it can’t be replayed as it was. Send a whole body of your own, or raise CaptureBodyMegabytes.`,
    { code: 'request_cut', kept: keptOf(kept), size: kept.size },
  )
}

/** The group that the original was served in; null where it is not known. */
export const groupOf = (id: string, context: OperationContext): string | null =>
  rowOf(id, context)?.row.group || null

/** The aliases that the original was asked by: a replay has no token that knows them. */
export function aliasesOf(id: string, context: OperationContext): Pick<Token, 'modelAliases'> {
  const row = rowOf(id, context)?.row
  const other = row && asObject(parseJson(Buffer.from(row.other)))
  const asked = other?.asked_model
  const modelAliases = { ...(asObject(other?.asked_beside) as Token['modelAliases'] | undefined) }
  const named = asObject(asObject(asObject(other?.admin_info)?.route)?.named)?.name
  if (typeof asked === 'string')
    modelAliases[asked] = typeof named === 'string' ? named : (row?.model ?? '')
  return { modelAliases }
}
