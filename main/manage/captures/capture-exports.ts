import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import type { Capture } from '../../capture/capture.ts'
import { keptOf } from '../../inspect/body/body-content.ts'
import { bordersOf } from '../../inspect/body/borders.ts'
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

/** Calls of one archive, and bytes of their bodies: it is made and sent in one piece. */
const MOST_CALLS = 500
const MOST_BYTES = 64 * 1024 * 1024

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
  output: exported.extend({
    calls: z.int().describe('Calls in the archive.'),
    gone: z.int().describe('Those of which there is no capture.'),
    left_out: z
      .int()
      .describe('Those that were too many: an archive has 64 MiB of bodies at most.'),
  }),
  async run({ ids }, context) {
    const captures: Capture[] = []
    let [bytes, gone, leftOut] = [0, 0, 0]
    for (const id of new Set(ids)) {
      if (bytes > MOST_BYTES) {
        leftOut++
        continue
      }
      const capture = visibleCapture(id, context)
      if (!capture) gone++
      else {
        captures.push(capture)
        for (const body of bordersOf(capture).values()) bytes += keptOf(body)
      }
      // To open a capture takes a while: calls go on between them.
      await nextTurn()
      context.signal.throwIfAborted()
    }
    if (captures.length === 0) {
      throw new GatewayError('not_found', {
        message:
          'None of these calls has a capture. They were not captured, or the captures are gone: the gateway restarted, or newer calls took their place.',
        field: 'ids',
        reason: { code: 'no_captures' },
      })
    }
    const text = har(captures, { ...gatewayOf(context.parts), gone, leftOut })
    const file = toExported({ name: 'calls.har', mediaType: HAR_TYPE, text })
    return { ...file, calls: captures.length, gone, left_out: leftOut }
  },
})

export const captureExportOperations = [exportOne, archive] as const
