import { refuse, requireCount, requireSwitch, requireTurns } from '../../check/check-request.ts'
import type { JsonFields } from '../../json/json-fields.ts'

/** Only what routing and accounting rest on; everything else is the vendor's to judge. */
export function checkChatRequest(body: JsonFields): void {
  requireTurns(body, 'messages')
  requireSwitch(body, 'stream')
  for (const field of ['max_tokens', 'max_completion_tokens', 'n']) requireCount(body, field)
  const options = body.kind('stream_options')
  if (options !== undefined && options !== 'null' && options !== 'object') {
    refuse('stream_options', 'must be an object')
  }
}
