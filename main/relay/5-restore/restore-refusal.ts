import { redactBytes } from '../../base/log/redact.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { Answer } from '../call/answer.ts'
import type { CallRecord } from '../call/call-record.ts'
import { answerHeaders } from '../channel/answer-headers.ts'
import type { RefusedFailure } from '../failure/failure.ts'
import { mapStatus } from '../failure/report-failure.ts'

/** The vendor's headers; when to try again stands there even where the vendor says so in the body only. */
function refusalHeaders({ refusal, retryAfter: wait }: RefusedFailure): Answer['headers'] {
  const headers = answerHeaders(refusal.headers)
  if (wait === null || 'retry-after' in headers || 'retry-after-ms' in headers) return headers
  headers['retry-after'] = String(Math.ceil(wait))
  if (!Number.isInteger(wait)) headers['retry-after-ms'] = String(Math.ceil(wait * 1000))
  return headers
}

/** The vendor's refusal as it came, but for the status that the channel's owner shows in its place. */
export function restoreRefusal(
  failure: RefusedFailure,
  channel: Channel,
  record: CallRecord,
): Answer {
  const { refusal, vendor } = failure
  const status = mapStatus(refusal.status, channel)
  record.status = status
  record.failure = {
    message: vendor?.message ?? `The upstream answered with status ${refusal.status}.`,
    code: vendor?.code ?? String(refusal.status),
  }
  return { status, headers: refusalHeaders(failure), body: redactBytes(refusal.body) }
}
