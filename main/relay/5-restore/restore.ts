import { GatewayError } from '../../base/errors.ts'
import type { Received } from '../3-prepare/prepared-call.ts'
import type { Answer } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import type { CallRecord } from '../call/call-record.ts'
import { type ReportedFailure, reportFailure } from '../failure/report-failure.ts'
import { restoreRefusal } from './restore-refusal.ts'

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
