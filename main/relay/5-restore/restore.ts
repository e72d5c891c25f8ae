import { GatewayError } from '../../base/errors.ts'
import { redactBytes } from '../../base/log/redact.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { Received } from '../3-prepare/prepared-call.ts'
import type { Answer } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import type { CallRecord } from '../call/call-record.ts'
import { answerHeaders } from '../channel/answer-headers.ts'
import type { RefusedFailure } from '../failure/failure.ts'
import { mapStatus, type ReportedFailure, reportFailure } from '../failure/report-failure.ts'

/** The vendor's headers; when to try again stands there even where the vendor says so in the body only. */
function refusalHeaders({ refusal, retryAfter: wait }: RefusedFailure): Answer['headers'] {
  const headers = answerHeaders(refusal.headers)
  if (wait === null || 'retry-after' in headers || 'retry-after-ms' in headers) return headers
  headers['retry-after'] = String(Math.ceil(wait))
  if (!Number.isInteger(wait)) headers['retry-after-ms'] = String(Math.ceil(wait * 1000))
  return headers
}

/** The vendor's refusal as it came, but for the status that the channel's owner shows in its place. */
function restoreRefusal(failure: RefusedFailure, channel: Channel, record: CallRecord): Answer {
  const { refusal, vendor } = failure
  const status = mapStatus(refusal.status, channel)
  record.status = status
  record.failure = {
    message: vendor?.message ?? `The upstream answered with status ${refusal.status}.`,
    code: vendor?.code ?? String(refusal.status),
    ...(vendor === null && {
      reason: { code: 'upstream_answered_status', status: refusal.status } as const,
    }),
  }
  return { status, headers: refusalHeaders(failure), body: redactBytes(refusal.body) }
}

/**
 * The client's answer, with its usage read on the way, and the rest of its token's limits in its headers. Throws a
 * failure that goes as an error.
 */
export function restore(
  received: Received | ReportedFailure,
  { format }: Call,
  record: CallRecord,
): Answer {
  const answer =
    'failure' in received
      ? restoreFailure(received, format, record)
      : restoreAnswer(received, record)
  if (record.budgetNote) answer.headers['x-switchyard-budget'] = record.budgetNote
  record.rate?.addHeaders(answer.headers, format, record.usage)
  return answer
}

function restoreFailure(
  reported: ReportedFailure,
  format: Call['format'],
  record: CallRecord,
): Answer {
  const failure = reportFailure(reported, format)
  if (failure instanceof GatewayError) throw failure
  return restoreRefusal(failure, reported.channel, record)
}

function restoreAnswer(received: Received, record: CallRecord): Answer {
  record.status = received.status
  return received.restore(record)
}
