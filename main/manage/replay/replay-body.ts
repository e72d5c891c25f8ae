import { GatewayError } from '../../base/errors.ts'
import type { Reason } from '../../base/reason.ts'
import type { CallFormat } from '../../convert/call-format.ts'
import { bodyFormat } from '../../convert/check/body-format.ts'
import { codecOf } from '../../convert/codecs.ts'
import { requirePathModel } from '../../convert/generate-content/request/path-model.ts'
import { JsonFields } from '../../convert/json/json-fields.ts'
import type { ReplayedPath } from './replayed-path.ts'

const invalid = (message: string, reason: Reason) =>
  new GatewayError('invalid_params', { message, field: 'body', reason })

/** `line 3, column 5` of a byte, both from 1. */
function placeOf(bytes: Buffer, at: number): string {
  const before = bytes.subarray(0, at).toString()
  const lines = before.split('\n')
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
}

/** The body as an object; throws `invalid_params`, saying where it is wrong. */
export function readReplayBody(bytes: Buffer): JsonFields {
  try {
    const fields = new JsonFields(bytes)
    // A broken text deep in a long body shows only when somebody looks.
    fields.parse()
    return fields
  } catch (error) {
    if (error instanceof TypeError) {
      throw invalid('The field "body" must be a JSON object, as the wire format has it.', {
        code: 'field_object',
      })
    }
    if (!(error instanceof SyntaxError || error instanceof GatewayError)) throw error
    const at = /position (\d+)/.exec(error.message)?.[1]
    const where = at === undefined ? '' : ` (${placeOf(bytes, Number(at))})`
    throw invalid(`The field "body" isn’t valid JSON${where}: ${error.message}`, {
      code: 'body_no_json',
      problem: error.message,
    })
  }
}

/** Changes to the original request. */
export interface ReplayChange {
  model: string | undefined
  stream: boolean | undefined
}

/** The body with another model, or streamed otherwise; every other byte stays. */
export function changeBody(
  body: JsonFields,
  { model: pathModel }: ReplayedPath,
  { model, stream }: ReplayChange,
): JsonFields {
  const changed: Record<string, unknown> = {}
  const isInPath = pathModel !== null
  if (model !== undefined && !isInPath) changed.model = model
  // A body of Gemini's may name the path's model once more.
  if (model !== undefined && isInPath && body.kind('model') === 'string') changed.model = model
  if (!isInPath && stream !== undefined && stream !== (body.get('stream') === true)) {
    changed.stream = stream
    // OpenAI refuses options of a stream without one.
    if (!stream && body.kind('stream_options') === 'object') changed.stream_options = null
  }
  return Object.keys(changed).length === 0 ? body : new JsonFields(body.set(changed))
}

/** Throws as the endpoint itself would for a body that it refuses; gives the call's model. */
export function checkReplayBody(
  body: JsonFields,
  format: CallFormat,
  { model: pathModel, verb }: ReplayedPath,
  headers: Readonly<Record<string, string>>,
): string {
  const codec = codecOf(bodyFormat(format, body))
  codec.guard.check(body)
  const model = pathModel ?? body.get('model')
  if (typeof model !== 'string' || model === '') {
    throw new GatewayError('invalid_request', {
      message: 'model: is required: the name of a model, as GET /v1/models lists it.',
      field: 'model',
      reason: { code: 'field_missing' },
    })
  }
  if (pathModel !== null) requirePathModel(body, model)
  if (verb === 'generate') codec.checkRequest(body, headers)
  else codec.checkCount?.(body, headers)
  return model
}
