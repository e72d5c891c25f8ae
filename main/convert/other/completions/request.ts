import { refuse, requireSwitch } from '../../check-request.ts'
import type { JsonFields } from '../../json-fields.ts'

const promptKinds = ['string', 'array', 'null']

/** Only what routing and accounting rest on: some vendors take a prompt in other fields. */
export function checkCompletionsRequest(body: JsonFields): void {
  const prompt = body.kind('prompt')
  if (prompt !== undefined && !promptKinds.includes(prompt)) {
    refuse('prompt', 'must be a string, or an array of strings or of tokens')
  }
  requireSwitch(body, 'stream')
  const options = body.kind('stream_options')
  if (options !== undefined && options !== 'null' && options !== 'object') {
    refuse('stream_options', 'must be an object')
  }
}
