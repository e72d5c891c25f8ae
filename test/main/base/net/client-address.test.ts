import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createClientAddresses } from '../../../../main/base/net/client-address.ts'

const TRUSTED = ['10.0.0.0/8']
const requestOf = (remoteAddress: string, headers: Record<string, string>): IncomingMessage =>
  ({ socket: { remoteAddress }, headers, httpVersion: '1.1' }) as unknown as IncomingMessage

describe('behind trusted proxies', () => {
  const clients = createClientAddresses(() => TRUSTED)
  const seenAs = (forwarded: string): string =>
    clients.of(requestOf('10.0.0.1', { 'x-forwarded-for': forwarded }))

  test('the client is the nearest address that none of them has', () => {
    expect(seenAs('198.51.100.7')).toBe('198.51.100.7')
    expect(seenAs('203.0.113.9, 198.51.100.7, 10.0.0.2')).toBe('198.51.100.7')
    expect(seenAs('198.51.100.7:5555')).toBe('198.51.100.7')
  })

  test('what stands further out than a word that is no address is believed by nobody', () => {
    expect(seenAs('203.0.113.9, unknown')).toBe('10.0.0.1')
    expect(seenAs('203.0.113.9, unknown, 10.0.0.2')).toBe('10.0.0.2')
  })

  test('host and protocol are those of the nearest, not those that a client wrote', () => {
    const headers = { 'x-forwarded-host': 'evil.example, ours', 'x-forwarded-proto': 'https, http' }
    const request = requestOf('10.0.0.1', headers)
    expect(clients.forwardedHost(request)).toBe('ours')
    expect(clients.isSecure(request)).toBe(false)
  })
})

test.each([
  ['localhost:4747', true],
  ['switchyard.localhost:4747', true],
  ['127.0.0.1', true],
  ['[::1]:4747', true],
  ['localhost.example', false],
  ['gateway.lan', false],
])('a request of this machine for %s is local: %s', (host, isLocal) => {
  const clients = createClientAddresses(() => [])
  expect(clients.isLocal(requestOf('127.0.0.1', { host }))).toBe(isLocal)
  expect(clients.isLocal(requestOf('198.51.100.7', { host }))).toBe(false)
})
