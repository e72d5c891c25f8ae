import { describe, expect, test, vi } from 'vitest'
import { OWNER, startManagement } from '../management.ts'
import { signInAs } from '../users/people.ts'
import { createAuthenticator, enableSecondFactor, holdClock } from './authenticator.ts'

// Each set-up hashes four codes, which is slow by design.
vi.setConfig({ testTimeout: 60_000 })

async function startLockable() {
  const clock = holdClock()
  const management = await startManagement()
  const app = await enableSecondFactor(management.owner)
  const disable = (code: string) => management.owner.send('POST', '/api/user/2fa/disable', { code })
  const signIn = async (code: string) => {
    const browser = management.visitor()
    await browser.send('POST', '/api/user/login', OWNER)
    await browser.send('POST', '/api/user/login/2fa', { code })
    return browser
  }
  return { ...management, clock, app, disable, signIn }
}

describe('wrong codes', () => {
  test('the fifth in a row locks for five minutes, for the right code too', async () => {
    const { app, disable, clock, owner } = await startLockable()
    for (let count = 1; count <= 5; count++) {
      const { status, body } = await disable(app.wrong())
      expect([count, status, body.code]).toEqual([count, 400, 'invalid_code'])
    }
    expect((await owner.get('/api/user/2fa/status')).body.data.locked).toBe(true)
    const { status, body, headers } = await disable(app.fresh())
    expect([status, body.code]).toEqual([423, 'locked'])
    expect(body.message).toMatch(/\b5 minutes/)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(260)
    clock.advance(300)
    expect((await owner.get('/api/user/2fa/status')).body.data.locked).toBe(false)
    expect((await disable(app.fresh())).status).toBe(200)
  })

  test('the one that locks says so, by code too, in the answer and in the audit log', async () => {
    const { app, disable, gateway } = await startLockable()
    for (let count = 1; count <= 4; count++) {
      expect((await disable(app.wrong())).body.reason).toEqual({ code: 'code_wrong' })
    }
    const { body } = await disable(app.wrong())
    expect(body.message).toMatch(/ Too many wrong ones: try again in 5 minutes\.$/)
    const why = { code: 'code_wrong' }
    expect(body.reason).toEqual({ code: 'wrong_and_locked', why, seconds: 300 })
    const [row] = gateway.parts.ledger.list({ type: 4 }, { page: 1, pageSize: 1 }).items
    expect(row?.content).toMatch(/wrong code .* Locked for 5 minutes\.$/)
    expect(JSON.parse(row?.other ?? '')).toMatchObject({
      reason: { code: 'audit_locked', why: { code: 'audit_code_wrong' }, seconds: 300 },
    })
  })

  test('one more after the lock locks again at once', async () => {
    const { app, disable, clock } = await startLockable()
    for (let count = 1; count <= 5; count++) await disable(app.wrong())
    clock.advance(301)
    expect((await disable(app.wrong())).body.code).toBe('invalid_code')
    expect((await disable(app.fresh())).body.code).toBe('locked')
  })

  test('lock nobody out until the clock has caught up that was set back', async () => {
    const { app, disable, clock, owner } = await startLockable()
    for (let count = 1; count <= 5; count++) await disable(app.wrong())
    clock.advance(-86_400)
    expect((await owner.get('/api/user/2fa/status')).body.data.locked).toBe(false)
    expect((await disable(app.wrong())).body.code).toBe('invalid_code')
  })

  test('a right one forgives those before', async () => {
    const { app, disable, owner } = await startLockable()
    for (let round = 0; round < 2; round++) {
      for (let count = 1; count <= 4; count++) await disable(app.wrong())
      const right = { method: '2fa', code: app.fresh() }
      expect((await owner.send('POST', '/api/verify', right)).status).toBe(200)
    }
  })

  test('are counted together, in whatever session and for whatever act they are entered', async () => {
    const { app, disable, owner, signIn } = await startLockable()
    const other = await signIn(app.fresh())
    await other.send('POST', '/api/user/2fa/disable', { code: app.wrong() })
    await other.send('POST', '/api/verify', { method: '2fa', code: 'AAAA-AAAA' })
    await owner.send('POST', '/api/user/2fa/backup_codes', { code: app.wrong() })
    await owner.send('POST', '/api/verify', { method: 'password', code: 'not the password' })
    await disable(app.wrong())
    const { status, body } = await other.send('POST', '/api/user/2fa/disable', {
      code: app.fresh(),
    })
    expect([status, body.code]).toEqual([423, 'locked'])
  })

  test('what cannot be a code is refused without counting', async () => {
    const { app, disable } = await startLockable()
    for (const typed of ['12345', 'hello', '1234567', 'AAAA-AAA', 'ÄÖÜß-1234', '١٢٣٤٥٦']) {
      expect((await disable(typed)).body.code).toBe('invalid_code')
    }
    expect((await disable(app.fresh())).status).toBe(200)
  })

  test('a right password in between buys no further guesses', async () => {
    const { app, disable, owner } = await startLockable()
    for (let count = 1; count <= 4; count++) await disable(app.wrong())
    const verify = { method: 'password', code: OWNER.password }
    expect((await owner.send('POST', '/api/verify', verify)).status).toBe(200)
    await disable(app.wrong())
    expect((await disable(app.fresh())).body.code).toBe('locked')
  })

  test('of 30 guesses at once five are looked at', async () => {
    const { app, owner, gateway } = await startLockable()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        owner.send('POST', '/api/user/2fa/disable', {
          code: index % 2 ? app.wrong() : `AAAA-${String(index).padStart(4, '0')}`,
        }),
      ),
    )
    const codes = answers.map(({ body }) => body.code)
    expect(codes.filter((code) => code === 'invalid_code')).toHaveLength(5)
    expect(codes.filter((code) => code === 'locked')).toHaveLength(25)
    expect(gateway.parts.users.byId(1)?.twoFactor?.failedAttempts).toBe(5)
  })

  test('count while it is switched on, too', async () => {
    holdClock()
    const { owner } = await startManagement()
    const { data } = (await owner.send('POST', '/api/user/2fa/setup')).body
    const app = createAuthenticator(data.secret, [])
    const enable = (code: string) => owner.send('POST', '/api/user/2fa/enable', { code })
    for (let count = 1; count <= 5; count++) await enable(app.wrong())
    expect((await enable(app.fresh())).body.code).toBe('locked')
  })

  test('are written down without the code', async () => {
    const { app, disable, gateway } = await startLockable()
    const wrong = app.wrong()
    await disable(wrong)
    const { items } = gateway.parts.ledger.list({ type: 4 }, { page: 1, pageSize: 5 })
    expect(items[0]).toMatchObject({ username: 'ada', ip: '127.0.0.1', status: 400 })
    expect(items[0]?.content).toContain('wrong code')
    expect(items[0]?.content).not.toContain(wrong)
  })
})

describe('an administrator', () => {
  test('counts who has one, and removes that of a user of a lower role', async () => {
    const { owner, ...management } = await startLockable()
    const admin = await signInAs(management, { username: 'admin', role: 10 })
    const bob = await signInAs(management, { username: 'bob' })
    await enableSecondFactor(bob)
    const stats = await admin.get('/api/user/2fa/stats')
    expect(stats.body.data).toEqual({ total_users: 3, enabled_users: 2, enabled_rate: '66.7%' })

    expect((await admin.send('DELETE', `/api/user/${bob.id}/2fa`)).status).toBe(200)
    expect((await bob.get('/api/user/self')).status).toBe(401)
    const refusals = [
      [admin, bob.id, 409],
      [admin, 1, 403],
      [admin, admin.id, 403],
      [admin, 99, 404],
      [owner, 1, 409],
    ] as const
    for (const [who, id, status] of refusals) {
      expect((await who.send('DELETE', `/api/user/${id}/2fa`)).status).toBe(status)
    }
    const { items } = management.gateway.parts.ledger.list({ type: 3 }, { page: 1, pageSize: 5 })
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({ username: 'bob' })
  })
})
