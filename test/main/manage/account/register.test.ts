import { describe, expect, test } from 'vitest'
import { OWNER, startManagement, startUnset } from '../management.ts'
import { PASSWORD, signInAs } from '../users/people.ts'

const bob = { username: 'bob', password: PASSWORD }

describe('registration', () => {
  test.each([
    [{ RegisterEnabled: false }],
    [{ RegisterEnabled: true, PasswordRegisterEnabled: false }],
  ])('is closed with %j', async (settings) => {
    const { visitor, gateway } = await startManagement()
    gateway.parts.settings.update(settings)
    const { status, body } = await visitor().send('POST', '/api/user/register', bob)
    expect([status, body.code]).toEqual([403, 'forbidden'])
    // The login page offers it no more.
    expect((await visitor().get('/api/status')).body.data.register_enabled).toBe(false)
    expect(gateway.parts.users.byUsername('bob')).toBeUndefined()
  })

  test('is closed before the first run, so that nobody comes before the owner', async () => {
    const { visitor, gateway } = await startUnset()
    gateway.parts.settings.update({ RegisterEnabled: true })
    expect((await visitor().send('POST', '/api/user/register', bob)).status).toBe(403)
  })

  test('makes a common user with the units for new users, whatever else is sent along', async () => {
    const { visitor, gateway } = await startManagement()
    gateway.parts.settings.update({ RegisterEnabled: true, QuotaForNewUser: 5000 })
    const browser = visitor()
    const sent = { ...bob, email: 'ada@example.org', aff_code: 'x', verification_code: 'y' }
    const answer = await browser.send('POST', '/api/user/register', sent)
    expect(answer.body).toMatchObject({ success: true, message: '' })
    expect(answer.body.data).toBeUndefined()
    expect((await browser.get('/api/user/self')).status).toBe(401)
    await browser.send('POST', '/api/user/login', bob)
    expect((await browser.get('/api/user/self')).body.data).toMatchObject({
      ...{ username: 'bob', display_name: 'bob', role: 1, status: 1 },
      ...{ group: 'default', quota: 5000, email: '' },
    })
  })

  test('refuses taken names, wrong fields and a role that somebody gives themselves', async () => {
    const { visitor, gateway } = await startManagement()
    gateway.parts.settings.update({ RegisterEnabled: true })
    const refusals = [
      [{ ...bob, username: 'ada' }, 409, 'username'],
      [{ ...bob, username: 'x'.repeat(21) }, 400, 'username'],
      [{ ...bob, username: '  ' }, 400, 'username'],
      [{ ...bob, password: 'short' }, 400, 'password'],
      [{ ...bob, password: 'ü'.repeat(37) }, 400, 'password'],
      [{ ...bob, role: 100 }, 400, 'role'],
    ] as const
    for (const [sent, expected, field] of refusals) {
      const { status, body } = await visitor().send('POST', '/api/user/register', sent)
      expect([field, status, body.field]).toEqual([field, expected, field])
    }
    expect(gateway.parts.users.all()).toHaveLength(1)
  })

  test('stops after 20 accounts from one address', async () => {
    const { visitor, gateway } = await startManagement()
    gateway.parts.settings.update({ RegisterEnabled: true })
    const answers = []
    for (let count = 0; count <= 20; count++) {
      const sent = { username: `user${count}`, password: PASSWORD }
      answers.push((await visitor().send('POST', '/api/user/register', sent)).status)
    }
    expect(answers).toEqual([...Array(20).fill(200), 429])
  })
})

describe('signing in with a password, switched off', () => {
  test('lets only the owner in, and does not tell who that is', async () => {
    const management = await startManagement()
    const { gateway, visitor } = management
    await signInAs(management, { username: 'bob' })
    gateway.parts.settings.update({ PasswordLoginEnabled: false })
    const login = (input: object) => visitor().send('POST', '/api/user/login', input)
    expect((await login(OWNER)).status).toBe(200)
    const refused = [bob, { ...OWNER, password: 'wrong' }, { username: 'who', password: 'x' }]
    const messages = new Set<string>()
    for (const input of refused) {
      const { status, body } = await login(input)
      expect([status, body.code]).toEqual([403, 'forbidden'])
      messages.add(body.message)
    }
    expect(messages.size).toBe(1)
  })
})

test.each([
  ['GET', '/api/user/aff'],
  ['POST', '/api/user/aff_transfer'],
  ['GET', '/api/oauth/github'],
  ['GET', '/api/verification'],
  ['GET', '/api/reset_password'],
  ['POST', '/api/user/reset'],
  ['GET', '/api/user/passkey'],
  ['POST', '/api/user/passkey/login/begin'],
  ['POST', '/api/user/checkin'],
])('%s %s, which is not offered, is nothing in the envelope', async (method, path) => {
  const { owner, visitor } = await startManagement()
  for (const one of [owner, visitor()]) {
    const { status, body } = await one.send(method, path)
    expect([status, body.success, body.code]).toEqual([404, false, 'not_found'])
  }
})
