import type { Sentence } from '../../base/reason.ts'
import { eventRow } from '../calls/event-row.ts'
import type { OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'

/** Writes down that keys left the gateway all at once, or that records of another one came in. */
export async function noteTransfer(content: Sentence, context: OperationContext): Promise<void> {
  const { parts, requestId, ip } = context
  await parts.ledger.record(eventRow(3, signedIn(context), content, { requestId, ip }))
}
