import { refuse, requireSwitch } from '../../check/check-request.ts'
import type { Codec } from '../../codec.ts'
import type { JsonFields } from '../../json/json-fields.ts'
import { responsesCodec } from '../../responses/codec.ts'
import { checkResponsesCount } from '../../responses/request/check-request.ts'

function checkCompactRequest(body: JsonFields): void {
  checkResponsesCount(body)
  requireSwitch(body, 'stream')
  if (body.get('stream') === true) {
    refuse('stream', 'compaction_unstreamed')
  }
}

/**
 * OpenAI's compaction of a conversation: https://platform.openai.com/docs/api-reference/responses/compact. The
 * answer is a `response.compaction` with Responses' items and usage. What it holds is encrypted for its own
 * vendor, so there is no way to another, and it never streams.
 */
const { conversion: _, checkCount: __, ...responses } = responsesCodec
export const compactCodec: Codec = {
  ...responses,
  format: 'compact',
  checkRequest: checkCompactRequest,
  answerKeys: ['output'],
}
