import type { WireFormat } from '../../main/convert/exchange.ts'
import { makeCall } from '../faults/faulty-call.ts'
import { readAnswer } from '../faults/read-answer.ts'
import { sentenceOf, vendorError } from '../faults/vendor-answer.ts'
import type { Lane } from './matrix-stage.ts'

export const statuses: readonly number[] = [
  ...[400, 401, 402, 403, 404, 408, 409, 413, 415, 422, 424, 429, 451, 499],
  ...[500, 501, 502, 503, 504, 520, 524, 529],
]

/** One error status of an upstream, as a client gets it: what doesn't hold, as sentences. */
export async function runStatusCell(
  status: number,
  upstream: WireFormat,
  client: WireFormat,
  lane: Lane,
): Promise<string[]> {
  lane.answer({ status, body: vendorError(upstream, status) })
  const { url, key } = lane.gateway
  const model = lane.newModelOf(upstream)
  const answer = await makeCall({ url, key, client, model, stream: false })
  const { problems, ending, error } = readAnswer({ client, stream: false, asArray: false }, answer)
  if (ending !== 'failed') return [`the answer ends ${ending}, with status ${answer.status}`]
  // A vendor's word on our own key is none for the client.
  const isOurs = [401, 402, 403].includes(status)
  const says = isOurs || error.includes(sentenceOf(status))
  return says ? problems : [...problems, `"${error}" does not say what the vendor said`]
}
