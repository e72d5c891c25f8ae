import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { OWNER, startManagement } from '../management.ts'
import { signInAs } from '../users/people.ts'
import { createAuthenticator, enableSecondFactor, holdClock } from './authenticator.ts'

// Each set-up hashes four codes, which is slow by design.
vi.setConfig({ testTimeout: 60_000 })

describe('setting a second factor up', () => {
  test('gives a secret, an address for apps and four codes, and changes no login yet', async () => {
    const { owner, signIn } = await startManagement()
    const { body } = await owner.send('POST', '/api/user/2fa/setup', { ignored: true })
    expect(Object.keys(body.data).sort()).toEqual(['backup_codes', 'qr_code_data', 'secret'])
    expect(body.data.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(body.data.backup_codes).toHaveLength(4)
    for (const code of body.data.backup_codes) expect(code).toMatch(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/)
    expect(new Set(body.data.backup_codes).size).toBe(4)
    expect((await owner.get('/api/user/2fa/status')).body.data).toEqual({
      enabled: false,
      locked: false,
    })
    await signIn()
  })

  test('begun many times at once leaves others their turn to sign in', async () => {
    const management = await startManagement()
    const bob = await signInAs(management, { username: 'bob' })
    let done = 0
    const setups = Array.from({ length: 6 }, async () => {
      await bob.send('POST', '/api/user/2fa/setup')
      done++
    })
    await Promise.race(setups)
    await management.signIn()
    expect(done).toBeLessThan(6)
    await Promise.all(setups)
  })

  test('the address survives a system name and a user name with signs in them', async () => {
    const { owner, gateway } = await startManagement()
    gateway.parts.settings.update({ SystemName: 'Åsa & Co: models?' })
    await owner.send('PUT', '/api/user/self', { username: 'ada b#c' })
    const { data } = (await owner.send('POST', '/api/user/2fa/setup')).body
    const url = new URL(data.qr_code_data)
    expect([url.protocol, url.host]).toEqual(['otpauth:', 'totp'])
    expect(decodeURIComponent(url.pathname)).toBe('/Åsa & Co  models?:ada b#c (Åsa & Co  models?)')
    expect(url.hash).toBe('')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      secret: data.secret,
      issuer: 'Åsa & Co  models?',
      digits: '6',
      period: '30',
    })
  })

  test('a second set-up drops the secret of the first', async () => {
    holdClock()
    const { owner } = await startManagement()
    const first = (await owner.send('POST', '/api/user/2fa/setup')).body.data
    const second = (await owner.send('POST', '/api/user/2fa/setup')).body.data
    const enable = (secret: string) =>
      owner.send('POST', '/api/user/2fa/enable', { code: createAuthenticator(secret, []).code() })
    expect((await enable(first.secret)).body.code).toBe('invalid_code')
    expect((await enable(second.secret)).status).toBe(200)
  })

  test('neither secret nor codes can be read from the folder of data', async () => {
    holdClock()
    const { owner, gateway } = await startManagement()
    const app = await enableSecondFactor(owner)
    const file = readFileSync(join(gateway.parts.dataFolder, 'state.json'), 'utf8')
    expect(file).not.toContain(app.secret)
    for (const code of app.backupCodes) {
      expect(file).not.toContain(code)
      expect(file).not.toContain(code.replace('-', ''))
    }
  })
})

describe('switching it on and off', () => {
  test('a wrong code names the newest QR code and the clocks, which may be why the next is wrong too', async () => {
    holdClock()
    const { owner } = await startManagement()
    const secret = async (): Promise<string> =>
      (await owner.send('POST', '/api/user/2fa/setup')).body.data.secret
    const first = createAuthenticator(await secret(), [])
    await secret()
    const { body } = await owner.send('POST', '/api/user/2fa/enable', { code: first.fresh() })
    expect(body).toMatchObject({ code: 'invalid_code', reason: { code: 'code_wrong_pending' } })
    expect(body.message).toMatch(/newest QR code.* clocks/)
  })

  test('enable refuses what is no code of the app', async () => {
    const { owner } = await startManagement()
    await owner.send('POST', '/api/user/2fa/setup')
    const inputs = [
      {},
      { code: '12345' },
      { code: 'ABCD-EFGH' },
      { code: 123456 },
      { code: '123456', other: 1 },
    ]
    for (const input of inputs) {
      const { status, body } = await owner.send('POST', '/api/user/2fa/enable', input)
      expect([input, status, body.code]).toEqual([input, 400, 'invalid_params'])
    }
  })

  test('each act in the wrong state is a conflict', async () => {
    holdClock()
    const { owner } = await startManagement()
    const refused = async (path: string, code = '123456') => {
      const { status, body } = await owner.send('POST', `/api/user/2fa/${path}`, { code })
      expect([path, status, body.code]).toEqual([path, 409, 'conflict'])
    }
    await refused('enable')
    await refused('disable')
    await refused('backup_codes')
    const app = await enableSecondFactor(owner)
    await refused('setup')
    await refused('enable', app.fresh())
  })

  test('blanks in the code do not matter', async () => {
    holdClock()
    const { owner } = await startManagement()
    const { data } = (await owner.send('POST', '/api/user/2fa/setup')).body
    const code = createAuthenticator(data.secret, []).code()
    const typed = ` ${code.slice(0, 3)} ${code.slice(3)} `
    expect((await owner.send('POST', '/api/user/2fa/enable', { code: typed })).status).toBe(200)
    expect((await owner.get('/api/user/2fa/status')).body.data).toEqual({
      enabled: true,
      locked: false,
      backup_codes_remaining: 4,
    })
    expect((await owner.get('/api/user/self')).body.data.two_factor_enabled).toBe(true)
  })

  test('new backup codes need a code of the app, and end the old ones and other sessions', async () => {
    holdClock()
    const { owner, signIn } = await startManagement()
    const app = await enableSecondFactor(owner)
    const before = app.backupCodes[0] ?? ''
    const regenerate = (code: string) => owner.send('POST', '/api/user/2fa/backup_codes', { code })
    expect((await regenerate(before)).body.code).toBe('invalid_code')
    const { data } = (await regenerate(app.fresh())).body
    expect(data.backup_codes).toHaveLength(4)
    expect(data.backup_codes).not.toContain(before)
    const disable = (code: string) => owner.send('POST', '/api/user/2fa/disable', { code })
    expect((await disable(before)).body.code).toBe('invalid_code')
    expect((await disable(data.backup_codes[2].toLowerCase().replace('-', ' '))).status).toBe(200)
    await signIn()
  })

  test.each(['enable', 'disable', 'backup_codes'])('%s ends the other sessions', async (act) => {
    holdClock()
    const { owner, signIn } = await startManagement()
    const { data } = (await owner.send('POST', '/api/user/2fa/setup')).body
    const app = createAuthenticator(data.secret, data.backup_codes)
    let elsewhere = await signIn()
    await owner.send('POST', '/api/user/2fa/enable', { code: app.code() })
    if (act !== 'enable') {
      elsewhere = await signIn()
      await elsewhere.send('POST', '/api/user/login/2fa', { code: app.fresh() })
      expect((await elsewhere.get('/api/user/self')).status).toBe(200)
      await owner.send('POST', `/api/user/2fa/${act}`, { code: app.fresh() })
    }
    expect((await elsewhere.get('/api/user/self')).status).toBe(401)
    expect((await owner.get('/api/user/self')).status).toBe(200)
  })

  test('each act is written down as one of the user', async () => {
    holdClock()
    const { owner, gateway } = await startManagement()
    const app = await enableSecondFactor(owner)
    await owner.send('POST', '/api/user/2fa/backup_codes', { code: app.fresh() })
    await owner.send('POST', '/api/user/2fa/disable', { code: app.fresh() })
    const { items } = gateway.parts.ledger.list({ type: 4 }, { page: 1, pageSize: 20 })
    expect(items.map(({ username }) => username)).toEqual(Array(4).fill(OWNER.username))
    const texts = items.map(({ content }) => content).join('\n')
    for (const word of ['set up', 'on', 'new backup codes', 'off']) expect(texts).toContain(word)
    expect(texts).not.toContain(app.secret)
  })
})
