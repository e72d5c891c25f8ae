import { GatewayError } from '../../base/errors.ts'
import type { CapturedHeaders } from '../../capture/capture.ts'
import { wireFormats } from '../../convert/call-format.ts'
import { bodyFormat } from '../../convert/check/body-format.ts'
import type { WireFormat } from '../../convert/exchange.ts'
import { stringifyExact } from '../../convert/json/exact-json.ts'
import { readingJson } from '../../convert/json/invalid-json.ts'
import { JsonFields } from '../../convert/json/json-fields.ts'
import type { LossEntry } from '../../convert/loss.ts'
import { type CallMemory, translateRequest } from '../../relay/translate/translate-request.ts'
import { headersOf } from '../reading/read-request.ts'
import { prettyJson } from './pretty-json.ts'

/** A request in one of the wire formats. */
export interface FormatView {
  format: WireFormat
  /** JSON over several lines; empty where the request cannot be written in this format. */
  body: string
  losses: readonly LossEntry[]
  /** Why it cannot. */
  error: string | null
}

/** A request to be written in all formats. */
export interface AskedRequest {
  format: WireFormat
  body: Buffer
  headers: CapturedHeaders
  /** Gemini's bodies name none. */
  model: string
  stream: boolean
}

/** Nothing is added to a request that is only looked at. */
const noMemory: CallMemory = { resume: (request) => request, restore: (request) => request }

const messageOf = (error: unknown): string => {
  if (error instanceof GatewayError || error instanceof SyntaxError) return error.message
  throw error
}

/** The same request in each of the wire formats, with what gets lost; its own comes first, as it is. */
export function otherFormats({ format, body, headers, model, stream }: AskedRequest): FormatView[] {
  const fields = readingJson(() => new JsonFields(body))
  const own = bodyFormat(format, fields) as WireFormat
  const call = {
    format,
    verb: 'generate',
    model,
    stream,
    headers: headersOf(headers),
    body: fields,
  } as const
  const translated = (to: WireFormat): FormatView => {
    try {
      const destination = { format: to, model, stream, settings: {}, streamOptions: true }
      const made = translateRequest(
        call,
        { ...destination, fetchFiles: false, caches: false },
        noMemory,
      )
      const losses = [...made.loss.entries]
      return { format: to, body: prettyJson(stringifyExact(made.body)), losses, error: null }
    } catch (error) {
      return { format: to, body: '', losses: [], error: messageOf(error) }
    }
  }
  const asItIs = { format: own, body: prettyJson(body.toString()), losses: [], error: null }
  const others = [...wireFormats].filter((one) => one !== own)
  return [asItIs, ...others.map(translated)]
}
