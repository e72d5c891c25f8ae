import { expect, test } from 'vitest'
import { capturedHeaders, capturedUrl } from '../../../main/capture/captured-headers.ts'

test('headers that are called keys or sessions and open nothing can be read in a capture', () => {
  const harmless = [
    ['sec-websocket-key', 'dGhlIHNhbXBsZQ=='],
    ['idempotency-key', 'once'],
    ['x-claude-code-session-id', 's1'],
    ['x-ratelimit-remaining-tokens', '9'],
    ['anthropic-ratelimit-tokens-reset', '2026-01-01T00:00:00Z'],
  ] as const
  expect(capturedHeaders(harmless.flat())).toEqual(harmless)
  expect(capturedHeaders(['x-session', 's1', 'x-my-key', 'k'])).toEqual([
    ['x-session', '[removed]'],
    ['x-my-key', '[removed]'],
  ])
})

test('a name and password in a URL stand in no capture; an @ behind the host stays', () => {
  const path = 'vendor.example/v1/models?user=a@b.example'
  expect(capturedUrl(`https://ada:secret@${path}`)).toBe(`https://${path}`)
  expect(capturedUrl(`https://${path}`)).toBe(`https://${path}`)
})
