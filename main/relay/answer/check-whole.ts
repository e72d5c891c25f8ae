import { GatewayError } from '../../base/errors.ts'
import { parseJson } from '../../base/text/parse-json.ts'
import { readVendorError } from '../../convert/errors/vendor-error.ts'
import { JsonFields } from '../../convert/json/json-fields.ts'
import type { Channel } from '../../store/records/channels.ts'
import { ErrorInAnswer } from '../failure/error-in-answer.ts'
import { BIG_BODY } from '../usage/estimated-prompt.ts'

/** Fields that an error is told in. */
const tellingFields = ['error', 'status', 'code', 'msg', 'message', 'detail', 'base_resp']
/** Fields that show that the body is an answer. */
const answerFields = ['choices', 'content', 'candidates', 'data']

/** The fields of a large body that show an answer or an error; undefined for a body that is no JSON. */
function tellingPart(body: Buffer): unknown {
  let fields: JsonFields
  try {
    fields = new JsonFields(body)
  } catch (error) {
    // A list, which may hold an error.
    return error instanceof TypeError ? parseJson(body) : undefined
  }
  const hints: Record<string, unknown> = {}
  try {
    for (const name of tellingFields) {
      if (fields.kind(name) !== undefined) hints[name] = fields.get(name)
    }
  } catch {
    return undefined
  }
  for (const name of answerFields) {
    const kind = fields.kind(name)
    if (kind !== undefined) hints[name] = kind === 'null' ? null : true
  }
  return hints
}

/** Is it an answer beyond doubt? `answerKeys` are those that one of stands in every right answer. */
export const isSurelyAnswer = (answer: JsonFields, answerKeys: readonly string[]): boolean =>
  answerKeys.some((key) => (answer.kind(key) ?? 'null') !== 'null') &&
  (answer.kind('error') ?? 'null') === 'null'

/**
 * Some vendors say 200 and mean an error; a proxy in between may say 200 and show a page. One of
 * `answerKeys` stands in every right answer, where there are any. Of a large answer no more than its fields is
 * looked at. Throws what the vendor means, `upstream_invalid` for what is no JSON.
 */
export function checkWhole(body: Buffer, answerKeys: readonly string[], channel: Channel): void {
  const looksRight = answerKeys.some((key) => body.includes(`"${key}"`))
  if (looksRight && !body.includes('"error"') && !body.includes('"base_resp"')) return
  const json = body.length < BIG_BODY ? parseJson(body) : tellingPart(body)
  if (json === undefined) {
    const isPage = /<html|<!doctype/i.test(body.toString('utf8', 0, 1000))
    throw new GatewayError('upstream_invalid', {
      message: `The upstream of channel "${channel.name}" answered 200 with ${isPage ? 'a web page' : 'something that is not JSON'}. Check the channel's base URL.`,
      reason: {
        code: isPage ? 'upstream_page_for_json' : 'upstream_text_for_json',
        channel: channel.name,
      },
    })
  }
  const error = readVendorError(json)
  if (error) throw new ErrorInAnswer(error, channel)
}
