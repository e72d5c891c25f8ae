import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { GatewayError } from '../../../../main/base/errors.ts'
import { writeError } from '../../../../main/http/model/write-error.ts'

/** The headers with which an error is written. */
function headersOf(error: GatewayError): Record<string, unknown> {
  let written: Record<string, unknown> = {}
  const response = {
    ...{ headersSent: false, destroyed: false, end() {} },
    writeHead(_status: number, headers: Record<string, unknown>) {
      written = headers
    },
  }
  writeError(response as unknown as ServerResponse, error, 'manage', 'id')
  return written
}

const limited = (retryAfter: number) =>
  new GatewayError('rate_limit_exceeded', {
    message: 'Too many.',
    reason: { code: 'x' } as never,
    retryAfter,
  })

test('who may come back within a second is told in milliseconds too', () => {
  const soon = headersOf(limited(0.25))
  expect([soon['retry-after'], soon['retry-after-ms']]).toEqual([1, 250])
  const later = headersOf(limited(3))
  expect([later['retry-after'], later['retry-after-ms']]).toEqual([3, undefined])
})

test('only a body that was too large, or a gateway that stops, ends the connection', () => {
  expect(headersOf(limited(3)).connection).toBeUndefined()
  for (const code of ['payload_too_large', 'shutting_down'] as const)
    expect(headersOf(new GatewayError(code, { message: 'x' })).connection).toBe('close')
})
