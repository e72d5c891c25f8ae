import { describe, expect, test, vi } from 'vitest'
import { testAndJudge } from '../../../../main/manage/channels/maintenance/channel-test-round.ts'
import type { User } from '../../../../main/store/records/users.ts'
import { createAuthenticator, enableSecondFactor, holdClock } from '../account/authenticator.ts'
import { OWNER, verifyOwner } from '../management.ts'
import { signInAs } from '../users/people.ts'
import { channelsOf, expectLocked, restartLocked, vendor } from './locked-gateway.ts'

// Each of them starts a gateway twice.
vi.setConfig({ testTimeout: 30_000 })

describe('while the keychain is locked', () => {
  const chat = { model: 'echo', messages: [{ role: 'user', content: 'Hello' }] }
  const formats = [
    ['/v1/chat/completions', chat, { error: { type: 'server_error', code: 'keychain_locked' } }],
    ['/v1/responses', { model: 'echo', input: 'Hello' }, { error: { type: 'server_error' } }],
    ['/v1/messages', { ...chat, max_tokens: 9 }, { type: 'error', error: { type: 'api_error' } }],
    [
      '/v1beta/models/echo:generateContent',
      { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
      { error: { status: 'UNAVAILABLE', code: 503 } },
    ],
  ] as const

  test('model calls say so in their own format, and the same token works once it is open', async () => {
    const { gateway, token, keychain, signIn } = await restartLocked()
    const call = (path: string, body: object, key = token) =>
      fetch(gateway.url + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'anthropic-version': '2023-06-01',
          authorization: `Bearer ${key}`,
        },
        body: JSON.stringify(body),
      })
    for (const [path, body, error] of formats) {
      const response = await call(path, body)
      expect(response.status, path).toBe(503)
      // A person has to do something first.
      expect(response.headers.get('x-should-retry')).toBe('false')
      const text = await response.text()
      expect(JSON.parse(text), path).toMatchObject(error)
      expect(text).toContain('Keychain locked: ')
    }
    expect((await fetch(`${gateway.url}/v1/models`)).status).toBe(401)

    keychain.refusal = null
    const { body } = await (await signIn()).send('POST', '/api/keychain/retry', {})
    expect(body.data).toMatchObject({ locked: false, reason: null, protection: 'keychain' })
    for (const [path, asked] of formats) expect((await call(path, asked)).status, path).toBe(200)
    expect((await call('/v1/chat/completions', chat, 'sk-wrong')).status).toBe(401)
  })

  test('channels and tokens say that they are locked, not that keys are to be entered again', async () => {
    const { signIn, keychain, token } = await restartLocked('unavailable')
    const owner = await signIn()
    const secrets = { key_locked: true, key_unreadable: false, key_preview: '' }
    const [echo, first] = await channelsOf(owner)
    expect([echo, first]).toMatchObject([{ key_locked: false, key_unreadable: false }, secrets])
    const tokens = async () => (await owner.get('/api/token/')).body.data.items
    expect(await tokens()).toMatchObject([{ key: '', key_locked: true, key_unreadable: false }])

    const health = (await owner.get('/api/diagnostics/health')).body.data
    expect(health.status).toBe('failing')
    const codes = health.warnings.map(({ code }: { code: string }) => code)
    expect(codes).toEqual(['keychain_locked'])
    expect((await owner.get('/api/status/test')).status).toBe(503)
    expect((await owner.get('/api/server')).body.data.keychain_locked).toBe(true)
    expect((await owner.get('/api/keychain')).body.data).toMatchObject({
      ...{ locked: true, reason: 'unavailable', keychain: 'test_store', protection: null },
      sealed: { channels: 1, tokens: 1, access_tokens: 1, second_factors: 0, payment_secrets: 0 },
    })

    keychain.refusal = null
    await owner.send('POST', '/api/keychain/retry', {})
    expect((await channelsOf(owner))[1]).toMatchObject({
      key_locked: false,
      key_preview: 'sk-…6789',
    })
    expect((await tokens())[0].key.slice(0, 7)).toBe(token.slice(0, 7))
    expect((await owner.get('/api/status/test')).status).toBe(200)
  })

  test('channels whose keys are locked cost a call in the playground no try', async () => {
    const { signIn, gateway } = await restartLocked('denied', async (owner) => {
      for (const name of ['One', 'Two']) {
        const channel = { ...vendor, name, models: 'echo', priority: 9 }
        await owner.send('POST', '/api/channel/', { mode: 'single', channel })
      }
    })
    gateway.parts.settings.update({ RetryTimes: 0 })
    const owner = await signIn()
    expect((await channelsOf(owner)).map(({ name }) => name)).toContain('Two')
    expect((await owner.send('POST', '/pg/chat/completions', chat)).status).toBe(200)
  })

  test('what would be sealed under another key is refused, and nothing on the disk changes', async () => {
    const { signIn, state, keyFile, keychain } = await restartLocked()
    const owner = await signIn()
    const [echo, first] = await channelsOf(owner)
    const before = [state(), keyFile()]
    const attempts: [string, string, unknown][] = [
      ['POST', '/api/channel/', { ...vendor, name: 'Another' }],
      ['PUT', '/api/channel/', { id: first?.id, key: 'sk-vendor-another' }],
      ['PUT', '/api/channel/', { id: echo?.id, header_override: '{"x-one":"two"}' }],
      ['POST', `/api/channel/copy/${first?.id}`, {}],
      ['POST', '/api/token/', { name: 'new', unlimited_quota: true }],
      ['POST', '/api/user/token', undefined],
      ['POST', '/api/user/2fa/setup', undefined],
      ['PUT', '/api/option/', { key: 'StripeApiSecret', value: 'sk_test_1' }],
      [
        'PUT',
        '/api/user/setting',
        {
          notify_type: 'gotify',
          quota_warning_threshold: 1,
          gotify_url: 'https://a.test/',
          gotify_token: 't',
        },
      ],
    ]
    await verifyOwner(owner)
    const verified = state()
    for (const [method, path, body] of attempts) {
      expectLocked(await owner.send(method, path, body))
      expect(state(), `${method} ${path}`).toBe(verified)
    }
    expectLocked(await owner.send('POST', `/api/channel/${first?.id}/key`))
    expectLocked(await owner.send('POST', '/api/token/1/key'))
    expect(keyFile()).toBe(before[1])

    // Fields without secrets can be changed, and the sealed ones stay.
    const renamed = { id: first?.id, name: 'Renamed', key: '' }
    expect((await owner.send('PUT', '/api/channel/', renamed)).status).toBe(200)
    keychain.refusal = null
    await owner.send('POST', '/api/keychain/retry', {})
    expect((await owner.send('POST', `/api/channel/${first?.id}/key`)).body.data).toEqual({
      key: vendor.key,
    })
  })

  test('channels are neither called nor switched off for it; what needs no secret works', async () => {
    const { gateway, signIn, keychain } = await restartLocked('denied', async (owner) => {
      const headers = {
        name: 'Headers',
        key: '',
        header_override: '{"authorization":"Bearer hidden-1"}',
      }
      const proxy = { name: 'Proxy', key: '', setting: '{"proxy":"http://u:p@127.0.0.1:9"}' }
      for (const fields of [headers, proxy]) {
        const { status } = await owner.send('POST', '/api/channel/', { ...vendor, ...fields })
        expect(status).toBe(200)
      }
    })
    const owner = await signIn()
    const ids = (await channelsOf(owner)).filter(({ type }) => type === 1).map(({ id }) => id)
    expect(ids).toHaveLength(3)
    for (let time = 0; time < 4; time++) {
      for (const id of ids) expectLocked(await owner.get(`/api/channel/test/${id}`))
    }
    const user = gateway.parts.users.byId(1) as User
    for (const channel of gateway.parts.channels.all().filter(({ type }) => type === 1)) {
      const { signal } = new AbortController()
      expect(await testAndJudge({ channel }, user, signal, gateway.parts)).toBe(false)
    }
    const health = (await owner.get('/api/channel/health')).body.data
    for (const { id, state, failures } of health) {
      if (ids.includes(id)) expect({ state, failures }).toEqual({ state: 'closed', failures: 0 })
    }
    const statuses = (await channelsOf(owner)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([1]))
    expect((await owner.send('POST', '/pg/chat/completions', chat)).status).toBe(200)
    const refused = await owner.send('POST', '/pg/chat/completions', { ...chat, model: 'm' })
    expect(refused.status).toBe(503)
    expect(JSON.stringify(refused.body)).toContain('Keychain locked: ')

    keychain.refusal = null
    await owner.send('POST', '/api/keychain/retry', {})
    // Nobody listens at the vendor's address: it was asked.
    const asked = await owner.get(`/api/channel/test/${ids[0]}`)
    expect(asked.body.message).toContain('127.0.0.1:9')
  })

  test('sessions of before and of meanwhile both hold once it is open', async () => {
    const { owner, signIn, keychain, accessToken, visitor } = await restartLocked()
    expect((await owner.get('/api/user/self')).status).toBe(401)
    const meanwhile = await signIn()
    const script = { authorization: accessToken }
    expectLocked(await visitor().get('/api/user/self', script))
    keychain.refusal = null
    await meanwhile.send('POST', '/api/keychain/retry', {})
    expect((await meanwhile.get('/api/user/self')).status).toBe(200)
    expect((await owner.get('/api/user/self')).status).toBe(200)
    expect((await visitor().get('/api/user/self', script)).status).toBe(200)
    expect((await visitor().get('/api/user/self', { authorization: 'x' })).status).toBe(401)
  })

  test('codes of an authenticator are not counted as wrong, and a backup code lets in', async () => {
    holdClock()
    let app = createAuthenticator('', [])
    const { visitor, keychain, gateway } = await restartLocked('denied', async (owner) => {
      app = await enableSecondFactor(owner)
    })
    const browser = visitor()
    await browser.send('POST', '/api/user/login', OWNER)
    for (let time = 0; time < 7; time++) {
      const { status, body } = await browser.send('POST', '/api/user/login/2fa', {
        code: app.fresh(),
      })
      expect(status).toBe(503)
      expect(body).toMatchObject({ code: 'keychain_locked', field: 'code' })
      expect(body.message).toContain('backup code')
    }
    expect(gateway.parts.users.byId(1)?.twoFactor?.failedAttempts).toBe(0)
    const backup = { code: app.backupCodes[0] }
    expect((await browser.send('POST', '/api/user/login/2fa', backup)).status).toBe(200)
    keychain.refusal = null
    await browser.send('POST', '/api/keychain/retry', {})
    const other = visitor()
    await other.send('POST', '/api/user/login', OWNER)
    const { status } = await other.send('POST', '/api/user/login/2fa', { code: app.fresh() })
    expect(status).toBe(200)
  })

  test('payment providers are told to send their events again', async () => {
    const { gateway } = await restartLocked('denied', async (owner) => {
      const option = { key: 'StripeWebhookSecret', value: 'whsec_1' }
      expect((await owner.send('PUT', '/api/option/', option)).status).toBe(200)
    })
    const response = await fetch(`${gateway.url}/api/stripe/webhook`, {
      method: 'POST',
      body: '{}',
    })
    expect(response.status).toBe(503)
  })

  test('events of payment providers are checked by the secret of before once it is open', async () => {
    const { gateway, keychain, signIn } = await restartLocked('denied', async (browser) => {
      const option = { key: 'StripeWebhookSecret', value: 'whsec_1' }
      expect((await browser.send('PUT', '/api/option/', option)).status).toBe(200)
    })
    const owner = await signIn()
    keychain.refusal = null
    expect((await owner.send('POST', '/api/keychain/retry', {})).status).toBe(200)
    const response = await fetch(`${gateway.url}/api/stripe/webhook`, {
      method: 'POST',
      body: '{}',
    })
    expect(response.status).toBe(400)
  })

  test('users are told that it is locked, and no more', async () => {
    const admin = await signInAs(await restartLocked(), { username: 'bob', role: 10 })
    expect((await admin.get('/api/keychain')).body.data).toMatchObject({
      ...{ locked: true, reason: 'denied', keychain: null, protection: null, sealed: null },
    })
  })
})
