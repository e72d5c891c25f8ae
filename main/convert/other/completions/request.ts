import { refuse, requireCount, requireSwitch } from '../../check/check-request.ts'
import type { JsonFields } from '../../json/json-fields.ts'

const promptKinds = ['string', 'array', 'null']

/** Only what routing and accounting rest on: some vendors take a prompt in other fields. */
export function checkCompletionsRequest(body: JsonFields): void {
  const prompt = body.kind('prompt')
  if (prompt !== undefined && !promptKinds.includes(prompt)) {
    refuse('prompt', 'must be a string, or an array of strings or of tokens')
  }
  requireSwitch(body, 'stream')
  // With `echo` a prompt alone is scored.
  requireCount(body, 'max_tokens', 0)
  for (const field of ['n', 'best_of']) requireCount(body, field)
  const options = body.kind('stream_options')
  if (options !== undefined && options !== 'null' && options !== 'object') {
    refuse('stream_options', 'must be an object')
  }
}
