import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { createKeyStore } from '../../store/secret-key/key-store.ts'
import { startManagement, verifyOwner } from '../management.ts'
import { type Browser, channelsOf, restartLocked, vendor } from './locked-gateway.ts'

vi.setConfig({ testTimeout: 30_000 })

describe('forgetting stored keys', () => {
  const forget = (browser: Browser, body: unknown = { confirm: true }) =>
    browser.send('POST', '/api/keychain/forget', body)

  test('takes the owner’s proof and word, keeps the old file, and begins anew', async () => {
    const { signIn, keyFile, folder, gateway, token } = await restartLocked('foreign')
    const old = keyFile()
    const owner = await signIn()
    expect((await forget(owner)).body.code).toBe('VERIFICATION_REQUIRED')
    await verifyOwner(owner)
    for (const wrong of [{}, { confirm: false }, { confirm: 'true' }]) {
      expect((await forget(owner, wrong)).body).toMatchObject({ code: 'invalid_params' })
    }
    expect(keyFile()).toBe(old)

    const { status, body } = await forget(owner)
    expect(status).toBe(200)
    const { kept } = body.data as { kept: string }
    expect(readFileSync(join(folder, kept), 'utf8')).toBe(old)
    expect(keyFile()).not.toBe(old)
    const [, first] = await channelsOf(owner)
    expect(first).toMatchObject({ key_locked: false, key_unreadable: true })
    const call = { headers: { authorization: `Bearer ${token}` } }
    expect((await fetch(`${gateway.url}/v1/models`, call)).status).toBe(401)
    expect(
      (await owner.send('PUT', '/api/channel/', { id: first?.id, key: vendor.key })).status,
    ).toBe(200)
    expect((await owner.send('POST', '/api/token/', { name: 'n' })).status).toBe(200)
    const [row] = (await owner.get('/api/log/?type=3')).body.data.items
    expect(row.content).toContain(kept)
  })

  test('is refused while nothing is locked', async () => {
    const { owner, gateway } = await startManagement({ keyWrap: createKeyStore() })
    await verifyOwner(owner)
    const before = readdirSync(gateway.parts.dataFolder).sort()
    expect((await forget(owner)).body).toMatchObject({ code: 'conflict' })
    expect(readdirSync(gateway.parts.dataFolder).sort()).toEqual(before)
  })
})
