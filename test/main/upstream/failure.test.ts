import { expect, test } from 'vitest'
import { upstreamFailure } from '../../../main/upstream/failure.ts'

const url = 'https://api.example.com/v1?key=sk-secret'

test('an error of an unknown kind is told by its code, and not by words that may hold the key', () => {
  const error = Object.assign(new Error(`cannot reach ${url}`), { code: 'EODD' })
  const { message, reason, adminMessage } = upstreamFailure(error, url)
  expect(message).toBe('The upstream failed: EODD.')
  expect(adminMessage).toBe('The upstream at https://api.example.com failed: EODD.')
  expect(reason).toEqual({ code: 'upstream_failed', why: 'EODD', system: '' })
})

test('an error without a code is told by its words', () => {
  expect(upstreamFailure(new Error('no more sockets'), url).message).toBe(
    'The upstream failed: no more sockets.',
  )
  expect(upstreamFailure(null, url).message).toBe('The upstream failed: unknown reason.')
})

test.each([
  ['ECONNREFUSED', false, 'upstream_unreachable'],
  ['ECONNRESET', true, 'upstream_cut'],
  ['UND_ERR_CONNECT_TIMEOUT', false, 'upstream_timeout'],
  ['ETIMEDOUT', false, 'upstream_timeout'],
  ['ETIMEDOUT', true, 'upstream_cut'],
  ['HPE_INVALID_CONSTANT', false, 'upstream_invalid'],
  ['UND_ERR_HEADERS_OVERFLOW', false, 'upstream_invalid'],
])('%s, its answer begun: %s, is %s', (code, hasBegun, kind) => {
  const error = Object.assign(new Error('x'), { code })
  expect(upstreamFailure(error, url, hasBegun).code).toBe(kind)
})

test('a failure is one before the answer began unless it is said to be later', () => {
  const error = Object.assign(new Error('x'), { code: 'ECONNRESET' })
  expect(upstreamFailure(error, url).code).toBe('upstream_unreachable')
})

test.each([
  ['UND_ERR_HEADERS_OVERFLOW', 64],
  ['HPE_HEADER_OVERFLOW', 16],
])('%s names its limit in both languages', (code, kibibytes) => {
  const { message, reason } = upstreamFailure(Object.assign(new Error('x'), { code }), url)
  expect(message).toContain(`(${kibibytes} KiB)`)
  expect(reason).toMatchObject({ why: { code: 'network_headers', kibibytes } })
})
