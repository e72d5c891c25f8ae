import type { RefusedRequest } from '../../../../main/store/refused/refused-request.ts'

let count = 0

/** A refused request, as it stands in no other row. */
export const refusedRow = (fields: Partial<RefusedRequest> = {}): RefusedRequest => ({
  requestId: `request-${++count}`,
  time: Date.now(),
  method: 'POST',
  path: '/v1/v1/messages',
  status: 404,
  code: 'unknown_path',
  message: 'Invalid URL (POST /v1/v1/messages)',
  hint: '',
  reason: '',
  hintReason: '',
  client: 'curl/8',
  ip: '127.0.0.1',
  tokenId: 0,
  tokenName: '',
  userId: 0,
  username: '',
  model: '',
  format: '',
  duration: 0.5,
  ...fields,
})
