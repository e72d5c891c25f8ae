import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { bodyPart } from '../../inspect/body/body-view.ts'
import { bordersOf } from '../../inspect/body/borders.ts'
import { defineOperation } from '../operation/operation.ts'
import { captureView, toCaptureView } from './capture-view.ts'
import { captureId, ownCapture } from './own-capture.ts'

const get = defineOperation({
  name: 'capture.get',
  summary: 'Reads a captured call: its requests and answers, with the beginning of each body.',
  access: 'user',
  http: { method: 'GET', path: '/api/captures/:request_id' },
  input: z.object({ request_id: captureId }),
  output: captureView,
  run: ({ request_id: id }, context) => toCaptureView(ownCapture(id, context)),
})

const offset = z
  .union(
    [
      z.int().min(0),
      z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number),
    ],
    'must be a number from 0',
  )
  .optional()
  .describe('The `next` of the part before; none = the beginning.')

const body = defineOperation({
  name: 'capture.body',
  summary: 'Reads a body of a captured call, part by part.',
  access: 'user',
  http: { method: 'GET', path: '/api/captures/:request_id/body' },
  input: z.object({
    request_id: captureId,
    border: z.string().max(50).describe('`client.request`, `exchange.0.answer`, …'),
    offset,
  }),
  output: z.strictObject({
    text: z.string().nullable().describe('At most 262 144 characters; null for bytes.'),
    base64: z.string().nullable().describe('At most 262 144 bytes that are no text.'),
    next: z.int().nullable().describe('Offset of the next part; null where this is the last.'),
  }),
  run({ request_id: id, border, offset: from = 0 }, context) {
    const borders = bordersOf(ownCapture(id, context))
    const found = borders.get(border)
    if (found) return bodyPart(found, from)
    throw new GatewayError('invalid_params', {
      message: `This call has no border "${border}". It has ${[...borders.keys()].join(', ')}.`,
      field: 'border',
      reason: { code: 'no_such_border', border, borders: [...borders.keys()].join(', ') },
    })
  },
})

export const captureBodyOperations = [get, body] as const
