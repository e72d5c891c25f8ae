import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../../../main/base/log/log.ts'
import { startGateway } from '../../../../main/gateway.ts'
import { resetTwoFactorOffline } from '../../../../main/manage/account/reset-two-factor-offline.ts'
import { openConfFile } from '../../../../main/store/state/conf-file.ts'
import { createAuthenticator, enableSecondFactor, holdClock } from '../account/authenticator.ts'
import { type Management, OWNER, startManagement, type Visitor } from '../management.ts'
import { PASSWORD, signInAs } from '../users/people.ts'

const makeToken = async (visitor: Visitor): Promise<string> =>
  (await visitor.send('POST', '/api/user/token')).body.data

/** The status that an access token is answered with. */
const statusOf = async ({ visitor }: Management, authorization: string): Promise<number> =>
  (await visitor().get('/api/user/self', { authorization })).status

const verify = (visitor: Visitor, password = OWNER.password) =>
  visitor.send('POST', '/api/verify', { method: 'password', code: password })

test('an access token ends with the password that it was made under', async () => {
  const management = await startManagement()
  const { owner } = management
  const token = await makeToken(owner)
  expect(await statusOf(management, token)).toBe(200)
  const change = { password: 'another horse', original_password: OWNER.password }
  expect((await owner.send('PUT', '/api/user/self', change)).status).toBe(200)
  expect(await statusOf(management, token)).toBe(401)
  expect((await owner.get('/api/user/self')).body.data.has_access_token).toBe(false)
})

test.each([
  ['a new password', 'PUT', '/api/user', { password: 'a new password' }],
  ['being disabled', 'POST', '/api/user/manage', { action: 'disable' }],
  ['being demoted', 'POST', '/api/user/manage', { action: 'demote' }],
  ['a lower role', 'PUT', '/api/user', { role: 1 }],
])("%s from the owner ends an administrator's access token", async (_act, method, path, fields) => {
  const management = await startManagement()
  const admin = await signInAs(management, { username: 'bob', role: 10 })
  const token = await makeToken(admin)
  const { status } = await management.owner.send(method, path, { id: admin.id, ...fields })
  expect(status).toBe(200)
  management.gateway.parts.users.update(admin.id, { status: 1 })
  expect(await statusOf(management, token)).toBe(401)
})

test('switching the second factor on or off ends the access token, and so does its reset', async () => {
  holdClock()
  const management = await startManagement()
  const bob = await signInAs(management, { username: 'bob' })
  const ends = async (act: () => Promise<unknown>) => {
    const token = await makeToken(bob)
    await act()
    expect(await statusOf(management, token)).toBe(401)
  }
  let app = createAuthenticator('', [])
  await ends(async () => {
    app = await enableSecondFactor(bob)
  })
  await ends(() => bob.send('POST', '/api/user/2fa/disable', { code: app.fresh() }))
  await enableSecondFactor(bob)
  await ends(() => management.owner.send('DELETE', `/api/user/${bob.id}/2fa`))
})

test('a second factor that is reset from the command line takes the access token with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-reset-'))
  const start = () =>
    startGateway({
      ...{ host: '127.0.0.1', port: 0, portIsNamed: true, dataFolder: folder },
      ...{ rendererFolder: folder, openStateFile: openConfFile, env: {}, log: createLog('silent') },
    })
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const before = await start()
  const twoFactor = {
    ...{ secret: 'JBSWY3DPEHPK3PXP', isEnabled: true, failedAttempts: 0, lockedUntil: 0 },
    ...{ lastStep: 0, backupCodes: [], createdAt: 1 },
  }
  before.parts.users.create({ username: 'ada', role: 100, accessToken: 'a-token', twoFactor })
  await before.close()
  await resetTwoFactorOffline(folder, '', openConfFile)
  const after = await start()
  onTestFinished(() => after.close())
  expect(after.parts.users.byId(1)?.accessToken).toBeNull()
})

test('pushed events stop once their access token has ended', async () => {
  const { owner, gateway } = await startManagement()
  const authorization = await makeToken(owner)
  const { body } = await fetch(`${gateway.url}/api/events`, { headers: { authorization } })
  const reader = body?.getReader()
  await reader?.read()
  gateway.parts.users.update(1, { accessToken: 'another' })
  gateway.parts.events.emit('server')
  expect(await reader?.read()).toMatchObject({ done: true })
})

test('an access token alone cannot change how its owner signs in', async () => {
  const management = await startManagement()
  const { owner, visitor, gateway } = management
  const bob = await signInAs(management, { username: 'bob' })
  const authorization = await makeToken(owner)
  const before = gateway.parts.state.data.users
  for (const [method, path, body] of [
    ['POST', '/api/user/2fa/setup', {}],
    ['POST', '/api/user/2fa/enable', { code: '123456' }],
    ['POST', '/api/user/2fa/disable', { code: '123456' }],
    ['POST', '/api/user/2fa/backup_codes', { code: '123456' }],
    ['POST', '/api/user/token', {}],
    ['GET', '/api/user/token'],
    ['DELETE', '/api/user/self'],
    ['DELETE', '/api/user/sessions'],
    ['DELETE', '/api/user/sessions/0123456789abcdef'],
    ['PUT', '/api/user/self', { password: 'another horse', original_password: OWNER.password }],
    ['PUT', '/api/user/self', { username: 'eve' }],
    ['PUT', '/api/user', { id: bob.id, password: 'another horse' }],
    ['PUT', '/api/user', { id: bob.id, role: 10 }],
    ['POST', '/api/user', { username: 'eve', password: 'another horse', role: 10 }],
    ['POST', '/api/user/manage', { id: bob.id, action: 'promote' }],
    ['DELETE', `/api/user/${bob.id}/2fa`],
  ] as const) {
    const answer = await visitor().send(method, path, body, { authorization })
    expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'forbidden'])
    expect(answer.body.message).toMatch(/access token/)
  }
  expect(gateway.parts.state.data.users).toBe(before)
})

test('an access token goes on managing channels, tokens, users and its own preferences', async () => {
  const { owner, visitor } = await startManagement()
  const authorization = await makeToken(owner)
  for (const [method, path, body] of [
    ['GET', '/api/user/self'],
    ['PUT', '/api/user/self', { display_name: 'Ada L.', language: 'zh' }],
    ['GET', '/api/channel/'],
    ['POST', '/api/token/', { name: 'tool' }],
    ['POST', '/api/token/1/key', {}],
    ['POST', '/api/user/', { username: 'bob', password: PASSWORD }],
    ['PUT', '/api/user/', { id: 2, quota: 5 }],
    ['POST', '/api/user/manage', { id: 2, action: 'disable' }],
    ['PUT', '/api/option/', { key: 'SystemName', value: 'Here' }],
  ] as const) {
    const { status } = await visitor().send(method, path, body, { authorization })
    expect([path, status]).toEqual([path, 200])
  }
})

test('five minutes after the login a new access token or second factor asks for the password', async () => {
  const clock = holdClock()
  const { owner } = await startManagement()
  expect((await owner.send('POST', '/api/user/token')).status).toBe(200)
  clock.advance(301)
  for (const path of ['/api/user/token', '/api/user/2fa/setup']) {
    const { status, body } = await owner.send('POST', path)
    expect([status, body.code]).toEqual([403, 'VERIFICATION_REQUIRED'])
  }
  await verify(owner)
  expect((await owner.send('POST', '/api/user/2fa/setup')).status).toBe(200)
  expect((await owner.send('POST', '/api/user/token')).status).toBe(200)
})

test("the API's document says where an access token is not enough", async () => {
  const { visitor } = await startManagement()
  const document = await (await visitor().get('/api/openapi.json')).body
  const { paths } = document as unknown as { paths: Record<string, Record<string, unknown>> }
  expect(paths['/api/user/2fa/setup']?.post).toMatchObject({
    security: [{ session: [] }],
    description: expect.stringContaining('step-up'),
  })
  expect(paths['/api/user/self']?.get).toMatchObject({
    security: [{ session: [] }, { accessToken: [] }],
  })
})

test.each([{ username: 'zed' }, { email: 'zed@example.com' }])(
  'an access token changes nobody to sign in as %j, neither its owner nor another user',
  async (fields) => {
    const management = await startManagement()
    const bob = await signInAs(management, { username: 'bob' })
    const authorization = await makeToken(management.owner)
    const script = management.visitor()
    for (const id of [1, bob.id]) {
      const sent = { id, ...fields, remark: 'by a script' }
      const answer = await script.send('PUT', '/api/user', sent, { authorization })
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    }
    const same = { id: bob.id, username: 'bob', email: '', remark: 'by a script' }
    expect((await script.send('PUT', '/api/user', same, { authorization })).status).toBe(200)
  },
)

test('an access token cannot change who may sign in, from where, and which update the owner is told of, only other options', async () => {
  const { owner, visitor } = await startManagement()
  const authorization = await makeToken(owner)
  const setBy = async (sender: Visitor, key: string, value: unknown, headers = {}) =>
    (await sender.send('PUT', '/api/option', { key, value }, headers)).status
  for (const [key, value] of [
    ['TrustedProxies', '["0.0.0.0/0"]'],
    ['AllowedHosts', '["evil.example"]'],
    ['AllowedOrigins', '["https://evil.example"]'],
    ['PasswordLoginEnabled', false],
    ['RegisterEnabled', true],
    ['DesktopUpdateFeed', 'https://evil.example/feed.json'],
  ] as const) {
    expect(await setBy(visitor(), key, value, { authorization }), key).toBe(403)
  }
  expect(await setBy(visitor(), 'RetryTimes', 1, { authorization })).toBe(200)
  expect(await setBy(owner, 'RegisterEnabled', true)).toBe(200)
})
