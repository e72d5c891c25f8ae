import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hashPassword } from '../../../../main/base/password.ts'
import { OWNER, startManagement } from '../management.ts'

const wrong = { username: OWNER.username, password: 'not this one' }

describe('signing in', () => {
  test('sets a strict, script-proof cookie for 30 days and answers who it is', async () => {
    const { visitor } = await startManagement()
    const { headers, body } = await visitor().send('POST', '/api/user/login', OWNER)
    expect(body.data).toEqual({
      id: 1,
      username: 'ada',
      display_name: 'ada',
      role: 100,
      status: 1,
      group: 'default',
    })
    const cookie = headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^session=/)
    expect(cookie).toMatch(/; Path=\//)
    expect(cookie).toMatch(/; HttpOnly/)
    expect(cookie).toMatch(/; SameSite=Strict/)
    const end = /Expires=([^;]+)/.exec(cookie)?.[1] ?? ''
    expect((Date.parse(end) - Date.now()) / 86_400_000).toBeCloseTo(30, 1)
  })

  test('nobody gets a cookie for looking', async () => {
    const { visitor } = await startManagement()
    expect((await visitor().get('/api/status')).headers.get('set-cookie')).toBeNull()
    expect((await visitor().get('/api/user/self')).headers.get('set-cookie')).toBeNull()
  })

  test('an id from before the login is worth nothing after it', async () => {
    const { signIn, visitor } = await startManagement()
    const browser = await signIn()
    const before = browser.cookie
    await browser.send('POST', '/api/user/login', OWNER)
    expect(browser.cookie).not.toBe(before)
    const old = visitor()
    old.cookie = before
    expect((await old.get('/api/user/self')).status).toBe(401)
    expect((await browser.get('/api/user/self')).status).toBe(200)
  })

  test('the state file holds no id that a cookie could be made of', async () => {
    const { signIn, gateway } = await startManagement()
    const { cookie } = await signIn()
    const id = decodeURIComponent(cookie.replace('session=', '')).slice(2).split('.')[0] ?? ''
    expect(id.length).toBeGreaterThan(20)
    const file = readFileSync(join(gateway.parts.dataFolder, 'state.json'), 'utf8')
    expect(file).not.toContain(id)
  })

  test('a cookie that was signed by someone else is no session', async () => {
    const { signIn, visitor } = await startManagement()
    const { cookie } = await signIn()
    const forged = visitor()
    forged.cookie = `${cookie.slice(0, cookie.lastIndexOf('.'))}.forged`
    expect((await forged.get('/api/user/self')).status).toBe(401)
  })

  test.each([
    ['POST', '/api/user/logout'],
    ['GET', '/api/user/logout'],
  ])('%s %s ends the session for good', async (method, path) => {
    const { signIn, visitor } = await startManagement()
    const browser = await signIn()
    const { cookie } = browser
    const ended = await browser.send(method, path)
    expect(ended.status).toBe(200)
    expect(ended.headers.getSetCookie().join()).toMatch(
      /(?:^|,)session=;.*Expires=Thu, 01 Jan 1970/,
    )
    const again = visitor()
    again.cookie = cookie
    expect((await again.get('/api/user/self')).status).toBe(401)
  })
})

describe('failed logins', () => {
  test('a wrong password, an unknown name and a disabled account sound the same', async () => {
    const { visitor, gateway } = await startManagement()
    gateway.parts.users.create({
      username: 'bob',
      passwordHash: await hashPassword('bobs password'),
      status: 2,
    })
    const attempts = [
      wrong,
      { username: 'nobody', password: 'x' },
      { username: 'bob', password: 'bobs password' },
    ]
    const answers = await Promise.all(
      attempts.map((input) => visitor().send('POST', '/api/user/login', input)),
    )
    for (const { status, body } of answers) {
      expect(status).toBe(401)
      expect(body.code).toBe('invalid_credentials')
      expect(body.message).toBe(answers[0]?.body.message)
    }
  })

  test('an unknown name takes as long as a wrong password', async () => {
    const { visitor } = await startManagement()
    const time = async (input: object) => {
      const begin = performance.now()
      await visitor().send('POST', '/api/user/login', input)
      return performance.now() - begin
    }
    const nobody = { username: 'nobody', password: 'not this one' }
    await time(wrong)
    let [known, unknown] = [Infinity, Infinity]
    // In turns, so that a busy machine slows both down.
    for (let round = 0; round < 6; round++) {
      known = Math.min(known, await time(wrong))
      unknown = Math.min(unknown, await time(nobody))
    }
    expect(unknown / known).toBeGreaterThan(0.4)
  })

  test('are written down with the address, and without the password or an unknown name', async () => {
    const { visitor, gateway } = await startManagement()
    await visitor().send('POST', '/api/user/login', wrong)
    await visitor().send('POST', '/api/user/login', { username: 'hunter2', password: 'x' })
    const rows = () => gateway.parts.ledger.list({}, { page: 1, pageSize: 10 }).items
    await expect.poll(rows).toHaveLength(1)
    const items = rows()
    expect(items[0]).toMatchObject({ type: 4, username: 'ada', ip: '127.0.0.1' })
    expect(JSON.stringify(items)).not.toMatch(/not this one|hunter2/)
  })

  test('signing in often is no guessing', async () => {
    const { signIn } = await startManagement()
    for (let count = 0; count < 25; count++) await signIn()
  })
})

describe('the limit of all requests', () => {
  test('stops a stranger after 180, and not the console that is signed in', async () => {
    const { signIn, visitor } = await startManagement()
    const owner = await signIn()
    const stranger = visitor()
    // Behind a proxy; at the machine itself reads are not counted.
    const read = () => stranger.get('/api/status', { 'x-forwarded-for': '203.0.113.9' })
    let last = await read()
    for (let count = 0; count < 185 && last.status === 200; count++) last = await read()
    expect(last.status).toBe(429)
    expect(last.body.code).toBe('rate_limited')
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    for (let count = 0; count < 200; count++) {
      expect((await owner.get('/api/log/stat')).status).toBe(200)
    }
  })

  test('keeps nobody out of the console whose access token is used without end', async () => {
    const { owner, visitor } = await startManagement()
    const authorization = (await owner.send('POST', '/api/user/token')).body.data
    const script = visitor()
    const statuses = new Set<number>()
    for (let count = 0; count < 125; count++) {
      statuses.add((await script.get('/api/token/search', { authorization })).status)
    }
    expect(statuses).toContain(429)
    expect((await owner.get('/api/token/search')).status).toBe(200)
  })
})
