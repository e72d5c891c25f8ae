import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import {
  type ExportedCall,
  type ExportingGateway,
  exportCall,
  exportKinds,
  HAR_TYPE,
} from '../../inspect/export/export-call.ts'
import { har } from '../../inspect/export/har.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { defineOperation } from '../operation/operation.ts'
import { captureId, ownCapture, visibleCapture } from './own-capture.ts'

/** Calls of one archive. */
const MOST_CALLS = 500

const exported = z.strictObject({
  name: z.string().describe('Of a file.'),
  media_type: z.string(),
  text: z.string(),
})

const toExported = ({ mediaType, ...rest }: ExportedCall): z.infer<typeof exported> => ({
  ...rest,
  media_type: mediaType,
})

function gatewayOf(parts: GatewayParts): ExportingGateway {
  const baseUrl = parts.settings.current.ServerAddress || parts.address().url
  return { baseUrl, version: parts.version }
}

const exportOne = defineOperation({
  name: 'capture.export',
  summary: 'Writes a captured call as a command, a script, an HTTP archive or a fixture.',
  access: 'user',
  http: { method: 'GET', path: '/api/captures/:request_id/export' },
  input: z.object({ request_id: captureId, as: z.enum(exportKinds) }),
  output: exported,
  run: ({ request_id: id, as }, context) =>
    toExported(exportCall(ownCapture(id, context), as, gatewayOf(context.parts))),
})

const archive = defineOperation({
  name: 'capture.har',
  summary: 'Writes captured calls as one HTTP archive; those without a capture are left out.',
  access: 'user',
  http: { method: 'POST', path: '/api/captures/har' },
  input: z.strictObject({
    ids: z
      .array(captureId)
      .min(1, 'is empty: name at least one call')
      .max(MOST_CALLS, `can name at most ${MOST_CALLS} calls`),
  }),
  output: exported,
  run({ ids }, context) {
    const asked = new Set(ids)
    const captures = [...asked].flatMap((id) => visibleCapture(id, context) ?? [])
    const gone = asked.size - captures.length
    if (captures.length === 0) {
      throw new GatewayError('not_found', {
        message:
          'None of these calls has a capture. They were not captured, or the captures are gone: the gateway restarted, or newer calls took their place.',
        field: 'ids',
        reason: { code: 'no_captures' },
      })
    }
    const text = har(captures, { ...gatewayOf(context.parts), gone })
    return toExported({ name: 'calls.har', mediaType: HAR_TYPE, text })
  },
})

export const captureExportOperations = [exportOne, archive] as const
