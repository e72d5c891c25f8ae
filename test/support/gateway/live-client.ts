import { fetch, type RequestInit } from 'undici'
import { vi } from 'vitest'
import { hashPassword } from '../../../main/base/password.ts'
import type { GatewayClient } from '../../../renderer/gateway/client.ts'
import { createHttpClient } from '../../../renderer/gateway/http.ts'
import type { TestGateway } from './start-test-gateway.ts'

const password = 'correct horse'

/**
 * The console's own client in front of a gateway of this process, signed in as its owner, for pages that are drawn
 * without a browser. Replaces the window's `fetch`, which knows no cookies of other origins.
 */
export async function liveClient({ url, parts }: TestGateway): Promise<GatewayClient> {
  const owner = parts.users.byUsername('owner')
  if (owner) parts.users.update(owner.id, { passwordHash: await hashPassword(password) })
  const headers = { 'content-type': 'application/json', 'x-requested-with': 'Switchyard' }
  const post = (path: string, body: object) =>
    fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  await post('/api/setup', {})
  const entered = await post('/api/user/login', { username: 'owner', password })
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  if (cookie === '') throw new Error(`Signing in failed: ${await entered.text()}`)
  vi.stubGlobal('fetch', (address: string, { signal: _, ...init }: RequestInit) =>
    fetch(address, { ...init, headers: { ...(init.headers as object), cookie } }),
  )
  return { ...createHttpClient(url), on: () => () => {} }
}
