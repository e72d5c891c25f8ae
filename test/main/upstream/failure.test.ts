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
