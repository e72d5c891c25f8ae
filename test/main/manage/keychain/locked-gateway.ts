import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { GatewayOptions } from '../../../../main/gateway.ts'
import { createKeyStore, type KeyStore } from '../../store/secret-key/key-store.ts'
import { echoChannel, type Management, OWNER, startManagement, startUnset } from '../management.ts'

export interface Restarted extends Omit<Management, 'owner'> {
  keychain: KeyStore
  folder: string
  /** A browser that the owner signed in with before. */
  owner: Management['owner']
  /** `sk-…` of a token of before. */
  token: string
  accessToken: string
  keyFile(): string
  state(): string
}

export type Browser = Management['owner']

/** A channel with each kind of secret, and what they are. */
export const vendor = {
  type: 1,
  name: 'Vendor',
  models: 'm',
  group: 'default',
  key: 'sk-vendor-0123456789',
  base_url: 'http://127.0.0.1:9',
}

/** A gateway that was used while its keychain was open, started again while it is not. */
export async function restartLocked(
  refusal: KeyStore['refusal'] = 'denied',
  prepare: (browser: Browser) => Promise<void> = async () => {},
  options: Partial<GatewayOptions> = {},
): Promise<Restarted> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-keychain-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const keychain = createKeyStore()
  const first = await startManagement({ dataFolder: folder, keyWrap: keychain })
  const { owner } = first
  for (const channel of [vendor, echoChannel()]) {
    expect((await owner.send('POST', '/api/channel/', channel)).status).toBe(200)
  }
  const created = await owner.send('POST', '/api/token/', { name: 'tool', unlimited_quota: true })
  const accessToken = (await owner.send('POST', '/api/user/token')).body.data
  await prepare(owner)
  await first.gateway.close()

  keychain.refusal = refusal
  const { gateway, visitor } = await startUnset({
    ...options,
    dataFolder: folder,
    keyWrap: keychain,
  })
  const again = visitor()
  again.cookie = owner.cookie
  return {
    gateway,
    visitor,
    keychain,
    folder,
    owner: again,
    accessToken,
    token: created.body.data.key,
    keyFile: () => readFileSync(join(folder, 'secret.key'), 'utf8'),
    state: () => readFileSync(join(folder, 'state.json'), 'utf8'),
    async signIn() {
      const browser = visitor()
      expect((await browser.send('POST', '/api/user/login', OWNER)).status).toBe(200)
      return browser
    },
  }
}

const locked = { success: false, code: 'keychain_locked', message: /^Keychain locked: / }

export function expectLocked(received: { status: number; body: unknown }): void {
  expect(received.status).toBe(503)
  expect(received.body).toMatchObject({ ...locked, message: expect.stringMatching(locked.message) })
}

export const channelsOf = async (browser: Browser) =>
  (await browser.get('/api/channel/')).body.data.items as Record<string, unknown>[]
