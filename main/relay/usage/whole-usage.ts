import { isWireFormat } from '../../convert/codecs.ts'
import type { StreamScanner } from '../../convert/events/stream-scanner.ts'
import type { Call } from '../call/call.ts'
import type { CallRecord } from '../call/call-record.ts'
import { notePartialUsage } from './partial-usage.ts'

/** Notes the usage of a whole stream; counted where the vendor did not tell it and its words are known. */
export function noteWholeUsage(scanner: StreamScanner, call: Call, record: CallRecord): void {
  record.usage = scanner.usage()
  if (scanner.isEstimated) record.isEstimated = true
  const hasWords = scanner.isOver || isWireFormat(call.format) || call.format === 'completions'
  if (record.usage === null && hasWords) notePartialUsage(scanner, call, record)
}
