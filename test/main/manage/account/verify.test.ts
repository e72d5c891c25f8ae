import { describe, expect, test } from 'vitest'
import { createConsoleCalls } from '../../../../main/desktop/console-calls.ts'
import { checkAccess } from '../../../../main/manage/operation/access.ts'
import type { OperationContext } from '../../../../main/manage/operation/operation.ts'
import { OWNER, startManagement, startUnset } from '../management.ts'
import { createAuthenticator, enableSecondFactor, holdClock } from './authenticator.ts'

const verify = (method: string, code: string) => ['POST', '/api/verify', { method, code }] as const
const KEY = ['POST', '/api/channel/1/key', {}] as const

describe('showing again that it is you', () => {
  test('opens what is revealed for 300 seconds, in this session only', async () => {
    const clock = holdClock()
    const { owner, signIn } = await startManagement()
    const other = await signIn()
    expect((await owner.get('/api/verify')).body.data).toEqual({
      verified: false,
      expires_at: null,
      methods: ['password'],
    })
    const first = await owner.send(...KEY)
    expect([first.status, first.body.code]).toEqual([403, 'VERIFICATION_REQUIRED'])

    const { status, body } = await owner.send(...verify('password', OWNER.password))
    expect(status).toBe(200)
    const until = Math.floor(Date.now() / 1000) + 300
    expect(body.data).toEqual({ verified: true, expires_at: until })
    expect((await owner.get('/api/verify')).body.data).toMatchObject({ verified: true })
    // There is no such channel, but the way to it is open.
    expect((await owner.send(...KEY)).status).toBe(404)
    expect((await other.send(...KEY)).body.code).toBe('VERIFICATION_REQUIRED')

    clock.advance(299)
    expect((await owner.send(...KEY)).status).toBe(404)
    clock.advance(1)
    const late = await owner.send(...KEY)
    expect([late.status, late.body.code]).toEqual([403, 'VERIFICATION_EXPIRED'])
    expect((await owner.get('/api/verify')).body.data.verified).toBe(false)
  })

  test('counts for nothing once the clock was set back', async () => {
    const clock = holdClock()
    const { owner } = await startManagement()
    await owner.send(...verify('password', OWNER.password))
    clock.advance(-60)
    const { status, body } = await owner.send(...KEY)
    expect([status, body.code]).toEqual([403, 'VERIFICATION_INVALID'])
  })

  test('takes a code of the app or a backup code where there is a second factor', async () => {
    holdClock()
    const { owner } = await startManagement()
    const app = await enableSecondFactor(owner)
    expect((await owner.get('/api/verify')).body.data.methods).toEqual(['2fa', 'password'])
    for (const code of [app.fresh(), app.backupCodes[0] ?? '']) {
      expect((await owner.send(...verify('2fa', code))).status).toBe(200)
      expect((await owner.send(...verify('2fa', code))).body.code).toBe('invalid_code')
    }
  })

  test.each([
    ['password', 'not the password', 400, 'invalid_code'],
    ['2fa', '123456', 409, 'conflict'],
    ['passkey', 'done', 400, 'invalid_params'],
    ['password', '', 400, 'invalid_params'],
  ])('refuses %s "%s"', async (method, typed, expected, code) => {
    const { owner } = await startManagement()
    const { status, body } = await owner.send(...verify(method, typed))
    expect([status, body.code]).toEqual([expected, code])
    expect((await owner.get('/api/verify')).body.data.verified).toBe(false)
  })

  test('an access token cannot do it, nor use what another session showed', async () => {
    const { owner, visitor } = await startManagement()
    const authorization = (await owner.send('POST', '/api/user/token')).body.data
    await owner.send(...verify('password', OWNER.password))
    const script = visitor()
    const send = (...[method, path, body]: readonly [string, string, object]) =>
      script.send(method, path, body, { authorization })
    expect((await send(...verify('password', OWNER.password))).status).toBe(403)
    expect((await send(...KEY)).body.code).toBe('VERIFICATION_REQUIRED')
    const { data } = (await script.get('/api/verify', { authorization })).body
    expect(data).toEqual({ verified: false, expires_at: null, methods: [] })
  })

  test('keeps its status and code for clients of new-api', async () => {
    const { owner, gateway } = await startManagement()
    gateway.parts.settings.update({ LegacyStatus: true })
    const { status, body } = await owner.send(...KEY)
    expect([status, body.code]).toEqual([403, 'VERIFICATION_REQUIRED'])
  })
})

describe('in the desktop', () => {
  const mayReveal = (context: Partial<OperationContext>): boolean => {
    try {
      checkAccess({ name: 'any', access: 'root', verified: true }, context as OperationContext)
      return true
    } catch {
      return false
    }
  }

  test('the window of an owner without password is enough; with one it is asked for', async () => {
    const { gateway } = await startUnset()
    const { parts } = gateway
    const calls = createConsoleCalls(parts)
    await calls.call('setup.run', {})
    expect(await calls.call('verify.status', {})).toMatchObject({
      data: { verified: true, expires_at: null, methods: [] },
    })
    const window = () => ({
      ...{ parts, via: 'ipc', credential: 'desktop', verification: { expiresAt: null } },
      user: parts.users.byId(1) ?? null,
    })
    expect(mayReveal(window() as Partial<OperationContext>)).toBe(true)

    await calls.call('user.update-self', { password: OWNER.password })
    expect(mayReveal(window() as Partial<OperationContext>)).toBe(false)
    expect(await calls.call('verify.run', { method: 'password', code: 'wrong one' })).toMatchObject(
      { ok: false, error: { code: 'invalid_code', status: 400 } },
    )
    const right = { method: 'password', code: OWNER.password }
    expect(await calls.call('verify.run', right)).toMatchObject({ ok: true })
    expect(await calls.call('verify.status', {})).toMatchObject({ data: { verified: true } })
    // Another window, after a restart, has shown nothing yet.
    expect(await createConsoleCalls(parts).call('verify.status', {})).toMatchObject({
      data: { verified: false },
    })
  })

  test('so is one with a second factor and no password asked for a code', async () => {
    holdClock()
    const { gateway } = await startUnset()
    const calls = createConsoleCalls(gateway.parts)
    await calls.call('setup.run', {})
    const { data } = (await calls.call('two-factor.setup', {})) as {
      data: { secret: string; backup_codes: string[] }
    }
    const app = createAuthenticator(data.secret, data.backup_codes)
    await calls.call('two-factor.enable', { code: app.code() })
    expect(await calls.call('verify.status', {})).toMatchObject({
      data: { verified: false, methods: ['2fa'] },
    })
    await calls.call('verify.run', { method: '2fa', code: app.fresh() })
    expect(await calls.call('verify.status', {})).toMatchObject({ data: { verified: true } })
  })
})
