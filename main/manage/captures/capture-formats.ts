import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import type { Reason } from '../../base/reason.ts'
import type { Capture } from '../../capture/capture.ts'
import type { CallFormat } from '../../convert/call-format.ts'
import { isWireFormat } from '../../convert/codecs.ts'
import { asObject, asString } from '../../convert/json/json-value.ts'
import { bytesOf, isCutBody, jsonOf, keptOf } from '../../inspect/body/body-content.ts'
import { type FormatView, otherFormats } from '../../inspect/formats/other-formats.ts'
import { defineOperation } from '../operation/operation.ts'
import { lossOutput, lossView } from './loss-output.ts'
import { captureId, ownCapture } from './own-capture.ts'

/** Bytes of a body that is pasted. */
const BODY_LIMIT = 16 * 1024 * 1024

const wireFormat = z.enum(['chat', 'messages', 'generate-content', 'responses'])

const formatViews = z.strictObject({
  formats: z
    .array(
      z.strictObject({
        format: wireFormat,
        body: z.string().describe('JSON; empty where there is an error.'),
        losses: z.array(lossOutput),
        error: z.string().nullable().describe('Why it cannot be written in this format.'),
      }),
    )
    .describe('Its own format first.'),
})

const asViews = (formats: readonly FormatView[]): z.infer<typeof formatViews> => ({
  formats: formats.map(({ losses, ...rest }) => ({ ...rest, losses: losses.map(lossView) })),
})

const conflict = (message: string, reason: Reason) =>
  new GatewayError('conflict', { message, reason })

/** The client's request in all formats; throws `conflict` for what is no whole conversation. */
function formatsOf({ client, format, model }: Capture): FormatView[] {
  const { body, headers, url } = client.request
  if (!isWireFormat(format as CallFormat)) {
    throw conflict(
      `A call in the format "${format}" holds no conversation that could be converted.`,
      { code: 'format_unconvertible', format },
    )
  }
  if (isCutBody(body)) {
    throw conflict(`The request was cut at ${keptOf(body)} bytes, so it can’t be converted.`, {
      code: 'request_cut_unconvertible',
      bytes: keptOf(body),
    })
  }
  const value = asObject(jsonOf(body))
  if (!value)
    throw conflict('The request isn’t a JSON object, so it can’t be converted.', {
      code: 'request_no_object',
    })
  const stream = value.stream === true || url.includes(':streamGenerateContent')
  const wire = wireFormat.parse(format)
  return otherFormats({ format: wire, body: bytesOf(body), headers, model, stream })
}

const formats = defineOperation({
  name: 'capture.formats',
  summary: 'Writes a captured request in every wire format, and tells what each loses.',
  access: 'user',
  http: { method: 'GET', path: '/api/captures/:request_id/formats' },
  input: z.object({ request_id: captureId }),
  output: formatViews,
  run: ({ request_id: id }, context) => asViews(formatsOf(ownCapture(id, context))),
})

const convert = defineOperation({
  name: 'capture.convert',
  summary: 'Writes any request in every wire format, and tells what each loses. Nothing is sent.',
  access: 'user',
  http: { method: 'POST', path: '/api/captures/convert' },
  bodyLimit: BODY_LIMIT,
  input: z.strictObject({ format: wireFormat, body: z.string().describe('JSON.') }),
  output: formatViews,
  run({ format, body: text }) {
    const bytes = Buffer.from(text)
    const value = asObject(jsonOf({ chunks: [bytes], times: [], size: bytes.length }))
    if (!value) {
      throw new GatewayError('invalid_params', {
        message: 'The field "body" must hold a JSON object.',
        field: 'body',
        reason: { code: 'field_object' },
      })
    }
    const model = asString(value.model) ?? 'model'
    const stream = value.stream === true
    return asViews(otherFormats({ format, body: bytes, headers: [], model, stream }))
  },
})

export const captureFormatOperations = [formats, convert] as const
