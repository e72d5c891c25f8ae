import { describe, expect, test, vi } from 'vitest'
import { type Management, OWNER, startManagement, type Visitor } from '../management.ts'
import { PASSWORD, signInAs } from '../users/people.ts'
import { type Authenticator, enableSecondFactor, holdClock } from './authenticator.ts'

// Each set-up hashes four codes, which is slow by design.
vi.setConfig({ testTimeout: 60_000 })

/** A gateway whose owner has a second factor, and a clock that tests move. */
async function startWithSecondFactor(): Promise<
  Management & { app: Authenticator; clock: ReturnType<typeof holdClock> }
> {
  const clock = holdClock()
  const management = await startManagement()
  return { ...management, clock, app: await enableSecondFactor(management.owner) }
}

const password = (visitor: Visitor) => visitor.send('POST', '/api/user/login', OWNER)
const second = (visitor: Visitor, code: string) =>
  visitor.send('POST', '/api/user/login/2fa', { code })
const isSignedIn = async (visitor: Visitor) => (await visitor.get('/api/user/self')).status === 200

describe('a login in two steps', () => {
  test('asks for the code, and lets nobody in before it', async () => {
    const { visitor, app } = await startWithSecondFactor()
    const browser = visitor()
    const first = await password(browser)
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({ success: true, data: { require_2fa: true } })
    expect(first.body.message).not.toBe('')
    expect(await isSignedIn(browser)).toBe(false)

    const before = browser.cookie
    const { status, body } = await second(browser, app.fresh())
    expect(status).toBe(200)
    expect(body.data).toEqual({
      ...{ id: 1, username: 'ada', display_name: 'ada' },
      ...{ role: 100, status: 1, group: 'default' },
    })
    expect(browser.cookie).not.toBe(before)
    expect(await isSignedIn(browser)).toBe(true)
    const old = visitor()
    old.cookie = before
    expect(await isSignedIn(old)).toBe(false)
  })

  test('a login of a moment ago does not go on as the one of now', async () => {
    const { visitor, owner, app } = await startWithSecondFactor()
    const browser = visitor()
    browser.cookie = owner.cookie
    await password(browser)
    // The browser's former session has ended with it.
    expect(await isSignedIn(owner)).toBe(false)
    expect((await second(browser, app.fresh())).status).toBe(200)
  })

  test('a backup code stands for one code of the app, once', async () => {
    const { visitor, app } = await startWithSecondFactor()
    const code = app.backupCodes[1] ?? ''
    const browser = visitor()
    await password(browser)
    const entered = await second(browser, ` ${code.toLowerCase()} `)
    expect([entered.status, entered.body.data.backup_codes_left]).toEqual([200, 3])
    const status = await browser.get('/api/user/2fa/status')
    expect(status.body.data.backup_codes_remaining).toBe(3)
    const again = visitor()
    await password(again)
    const used = (await second(again, code)).body
    expect([used.code, used.reason]).toEqual(['invalid_code', { code: 'backup_code_used' }])
    expect(used.message).toMatch(/^This backup code was used already\. Enter another one/)
    const unknown = (await second(again, 'AAAA-0000')).body
    expect([unknown.code, unknown.reason]).toEqual(['invalid_code', { code: 'backup_code_wrong' }])
  })

  test('of 4 logins at once with one backup code only one gets in', async () => {
    const { visitor, app } = await startWithSecondFactor()
    const browsers = Array.from({ length: 4 }, visitor)
    await Promise.all(browsers.map(password))
    const answers = await Promise.all(browsers.map((one) => second(one, app.backupCodes[0] ?? '')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('a code counts once, and so does every code before it', async () => {
    const { visitor, app, clock } = await startWithSecondFactor()
    const [one, other] = [visitor(), visitor()]
    await password(one)
    await password(other)
    clock.advance(60)
    const [early, now, late] = [app.code(-1), app.code(0), app.code(1)]
    expect((await second(one, now)).status).toBe(200)
    for (const code of [now, early]) {
      expect((await second(other, code)).body.code).toBe('invalid_code')
    }
    expect((await second(other, late)).status).toBe(200)
  })

  test.each([-2, 2])('a code %i steps away is wrong', async (steps) => {
    const { visitor, app, clock } = await startWithSecondFactor()
    const browser = visitor()
    await password(browser)
    clock.advance(120)
    expect((await second(browser, app.code(steps))).body.code).toBe('invalid_code')
    expect((await second(browser, app.code(steps / 2))).status).toBe(200)
  })

  test('is over after five minutes', async () => {
    const { visitor, app, clock } = await startWithSecondFactor()
    const [slow, quick] = [visitor(), visitor()]
    const { headers } = await password(slow)
    const end = /Expires=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''
    expect(Date.parse(end) - Date.now()).toBeLessThanOrEqual(300_000)
    await password(quick)
    clock.advance(290)
    expect((await second(quick, app.code())).status).toBe(200)
    clock.advance(20)
    const { status, body } = await second(slow, app.code())
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
  })

  test('needs a first step', async () => {
    const { visitor, app, owner } = await startWithSecondFactor()
    for (const one of [visitor(), owner]) {
      const { status, body } = await second(one, app.fresh())
      expect([status, body.code]).toEqual([401, 'unauthenticated'])
    }
  })

  test('ends when the account is disabled or its password changes meanwhile', async () => {
    const management = await startWithSecondFactor()
    const { visitor, owner, gateway } = management
    const bob = await signInAs(management, { username: 'bob' })
    const app = await enableSecondFactor(bob)
    const login = { username: 'bob', password: PASSWORD }
    const [one, other] = [visitor(), visitor()]
    await one.send('POST', '/api/user/login', login)
    await owner.send('PUT', '/api/user/', { id: bob.id, password: 'another password' })
    expect((await second(one, app.fresh())).status).toBe(401)
    await other.send('POST', '/api/user/login', { ...login, password: 'another password' })
    gateway.parts.users.update(bob.id, { status: 2 })
    expect((await second(other, app.fresh())).status).toBe(401)
    expect(await isSignedIn(other)).toBe(false)
  })

  test('says so when the second factor was removed meanwhile', async () => {
    const management = await startWithSecondFactor()
    const bob = await signInAs(management, { username: 'bob' })
    const app = await enableSecondFactor(bob)
    const browser = management.visitor()
    await browser.send('POST', '/api/user/login', { username: 'bob', password: PASSWORD })
    management.gateway.parts.users.update(bob.id, { twoFactor: null })
    const { status, body } = await second(browser, app.fresh())
    expect([status, body.code]).toEqual([409, 'conflict'])
  })
})
