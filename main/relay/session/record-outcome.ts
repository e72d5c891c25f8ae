import { GatewayError } from '../../base/errors.ts'
import { FRAME_LIMIT, type SocketEnd } from '../../base/net/frame-socket.ts'
import type { Reason } from '../../base/reason.ts'
import { upstreamError } from '../../convert/errors/upstream-error.ts'
import { countsNothing } from '../../convert/estimate/counts-nothing.ts'
import { type ResponseEvent, showModel } from '../../convert/other/realtime/response-event.ts'
import { askedModel } from '../call/asked-model.ts'
import type { Call } from '../call/call.ts'
import { notePartialUsage } from '../usage/partial-usage.ts'
import type { OpenResponse } from './lanes.ts'

/** Notes a message of an upstream that only passes: it is counted as that of a stream of events is. */
export function notePassing(data: Buffer, { scanner, call, record }: OpenResponse): void {
  scanner.push(Buffer.concat([Buffer.from('data: '), data, Buffer.from('\n\n')]))
  captureEvent(data, data, call)
  if (scanner.hasContent === true) record.firstTokenAfter ??= performance.now() - call.receivedAt
}

/** An event as the client gets it: with the model's name that it asked for. */
export function shownEvent(data: Buffer, { call, record }: OpenResponse): Buffer {
  const asked = askedModel(call)
  const shown = record.attempt?.upstreamModel === asked ? data : showModel(data, asked)
  captureEvent(data, shown, call)
  return shown
}

/** An event of the upstream's, and as the client gets it. */
function captureEvent(data: Buffer, shown: Buffer, { capture }: Call): void {
  capture?.frame('upstream-in', data)
  capture?.frame('client-out', shown, false, shown === data)
}

/** Notes that a response has begun, or failed, by a message of its upstream. */
export function recordOutcome(event: ResponseEvent, { call, record, watched }: OpenResponse): void {
  const { failure, status } = event
  if (record.firstByteAfter === null) {
    record.firstByteAfter = performance.now() - call.receivedAt
    if (!failure) watched?.answered(200)
  }
  if (failure) {
    record.onCut?.(upstreamError({ ...failure, status: status ?? 500 }))
  }
}

/** Notes what its last message says: what it has used, counted from its words where that is not told. */
export function noteEnd(event: ResponseEvent, { call, record, scanner }: OpenResponse): void {
  const { usage, failure, status } = event
  const isTold = usage !== null && !(scanner.hasContent && countsNothing(usage))
  if (isTold) record.usage = usage
  else notePartialUsage(scanner, call, record)
  record.failure = failure
  if (status !== null && status >= 400) record.status = status
}

/** Why a session ended whose upstream sent what can't be relayed. */
export const unrelayable = ({ code, reason }: SocketEnd): Reason => ({
  code: 'upstream_unrelayable',
  problem:
    code === 1009 ? { code: 'socket_message_large', mebibytes: FRAME_LIMIT / 1024 / 1024 } : reason,
})

/** The failure of a response whose connection ended. */
export const cutBy = (end: SocketEnd): GatewayError => {
  const { reason: said, isRefused } = end
  return new GatewayError('upstream_cut', {
    message: isRefused
      ? `The upstream sent something that can't be relayed. ${said}`
      : `The upstream ended the connection before the answer was complete${said ? `: ${said.replace(/\.$/, '')}` : ''}.`,
    reason: isRefused
      ? unrelayable(end)
      : { code: 'upstream_left', said: said || { code: 'no_reason_given' } },
  })
}
