import { scryptSync } from 'node:crypto'
import http from 'node:http'
import { json } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'
import { LoginCodes } from '../../../../main/manage/account/login-codes.ts'
import { OWNER, startManagement } from '../management.ts'
import { enableSecondFactor, holdClock } from './authenticator.ts'

// Each set-up hashes four codes, which is slow by design.
vi.setConfig({ testTimeout: 60_000 })

const cheaply = (password: string): string =>
  `scrypt$8$8$1$AAAA$${scryptSync(password, Buffer.from('AAAA', 'base64'), 32, { N: 256, r: 8, p: 1 }).toString('base64')}`

/** Somebody in a browser who gave the right password and owes the code. */
interface Half {
  code(code: string): Promise<Answer>
  /** The cookie that makes this browser known, once it is. */
  device(): string
}

/** Another loopback address; the rest of them count as local. */
const PROXY = '127.0.0.2'

interface Answer {
  status: number
  code: string
  message: string
  retryAfter: number
}

/** A gateway behind a proxy, whose owner has a second factor. */
async function startGuarded() {
  const clock = holdClock()
  const management = await startManagement()
  const { gateway, owner } = management
  gateway.parts.users.update(1, { passwordHash: cheaply(OWNER.password) })
  gateway.parts.settings.update({ TrustedProxies: [PROXY] })
  const app = await enableSecondFactor(owner)
  /** From afar with an address, else at the machine itself. */
  async function givePassword(client = '', device = '', login = OWNER): Promise<Half> {
    let cookies = device
    const send = (path: string, body: object): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const headers = {
          'content-type': 'application/json',
          ...(client && { 'x-forwarded-for': client }),
          ...(cookies && { cookie: cookies }),
        }
        const localAddress = client ? PROXY : '127.0.0.1'
        const options = { method: 'POST', headers, localAddress, agent: false }
        const request = http.request(gateway.url + path, options, async (response) => {
          const set = (response.headers['set-cookie'] ?? []).map((one) => one.split(';')[0] ?? '')
          const kept = cookies.split('; ').filter((one) => one.startsWith('switchyard_device='))
          if (set.length > 0) cookies = [...kept, ...set].join('; ')
          const { code = '', message } = (await json(response)) as Partial<Answer>
          resolve({
            ...{ status: response.statusCode ?? 0, code, message: message ?? '' },
            retryAfter: Number(response.headers['retry-after'] ?? 0),
          })
        })
        request.on('error', reject)
        request.end(JSON.stringify(body))
      })
    expect((await send('/api/user/login', login)).status).toBe(200)
    return {
      code: (code) => send('/api/user/login/2fa', { code }),
      device: () => /switchyard_device=[^;]+/.exec(cookies)?.[0] ?? '',
    }
  }
  return { ...management, clock, app, givePassword }
}

const STRANGER = '203.0.113.9'

/** Wrong codes from one address until it is locked. */
async function lockOut(
  { givePassword, app }: Awaited<ReturnType<typeof startGuarded>>,
  client: string,
): Promise<Half> {
  const stranger = await givePassword(client)
  for (let count = 1; count <= 5; count++) {
    expect([count, (await stranger.code(app.wrong())).code]).toEqual([count, 'invalid_code'])
  }
  expect(await stranger.code(app.fresh())).toMatchObject({ status: 423, code: 'locked' })
  return stranger
}

describe('a stranger who knows the password and guesses codes', () => {
  test('locks nothing that the owner does in a session', async () => {
    const guarded = await startGuarded()
    const { owner, app } = guarded
    for (const client of [STRANGER, '203.0.113.10']) await lockOut(guarded, client)
    expect((await owner.get('/api/user/2fa/status')).body.data.locked).toBe(false)
    const byCode = { method: '2fa', code: app.fresh() }
    expect((await owner.send('POST', '/api/verify', byCode)).status).toBe(200)
    const byPassword = { method: 'password', code: OWNER.password }
    expect((await owner.send('POST', '/api/verify', byPassword)).status).toBe(200)
    const password = { password: 'another horse', original_password: OWNER.password }
    expect((await owner.send('PUT', '/api/user/self', password)).status).toBe(200)
    const off = await owner.send('POST', '/api/user/2fa/disable', { code: app.fresh() })
    expect(off.status).toBe(200)
  })

  test('keeps the owner from signing in neither at the machine nor in a known browser', async () => {
    const guarded = await startGuarded()
    const { app, givePassword } = guarded
    const mine = await givePassword('198.51.100.7')
    expect((await mine.code(app.fresh())).status).toBe(200)
    for (const client of [STRANGER, '203.0.113.10']) await lockOut(guarded, client)
    expect((await (await givePassword()).code(app.fresh())).status).toBe(200)
    const again = await givePassword(STRANGER, mine.device())
    expect((await again.code(app.fresh())).status).toBe(200)
  })

  test('keeps out the own address alone, until it is ten wrong codes from everywhere', async () => {
    const guarded = await startGuarded()
    const { app, givePassword, clock } = guarded
    await lockOut(guarded, STRANGER)
    expect((await (await givePassword('198.51.100.7')).code(app.fresh())).status).toBe(200)
    await lockOut(guarded, '203.0.113.10')
    const elsewhere = await givePassword('198.51.100.8')
    const { status, message, retryAfter } = await elsewhere.code(app.fresh())
    expect(status).toBe(423)
    expect(message).toMatch(/^Too many wrong codes.*in \d+ minutes.*signed in with before/)
    expect(retryAfter).toBeGreaterThan(200)
    clock.advance(retryAfter)
    expect((await elsewhere.code(app.code())).status).toBe(200)
  })

  test('gets five guesses, however many come at once', async () => {
    const { app, givePassword } = await startGuarded()
    const strangers = await Promise.all(Array.from({ length: 8 }, () => givePassword(STRANGER)))
    const answers = await Promise.all(
      strangers.flatMap((one) => [one.code(app.wrong()), one.code('AAAA-AAAA')]),
    )
    const codes = answers.map(({ code }) => code)
    expect(codes.filter((code) => code === 'invalid_code')).toHaveLength(5)
    expect(codes.filter((code) => code === 'locked')).toHaveLength(11)
  })

  test('is forgotten once the owner changes the password', async () => {
    const guarded = await startGuarded()
    const { owner, app, givePassword, clock } = guarded
    for (const client of [STRANGER, '203.0.113.10']) await lockOut(guarded, client)
    const password = 'another horse'
    const change = { password, original_password: OWNER.password }
    expect((await owner.send('PUT', '/api/user/self', change)).status).toBe(200)
    clock.advance(1)
    const login = { ...OWNER, password }
    expect((await (await givePassword(STRANGER, '', login)).code(app.fresh())).status).toBe(200)
  })

  test('has no known browser from the time before the second factor', async () => {
    const guarded = await startGuarded()
    const { owner, app, givePassword, gateway } = guarded
    await owner.send('POST', '/api/user/2fa/disable', { code: app.fresh() })
    const early = await givePassword(STRANGER)
    expect(early.device()).not.toBe('')
    const { data } = (await owner.send('POST', '/api/user/2fa/setup')).body
    expect(data.secret).toBeTruthy()
    const before = gateway.parts.users.byId(1)?.deviceEpoch ?? 0
    const renewed = await enableSecondFactor(owner)
    expect(gateway.parts.users.byId(1)?.deviceEpoch).toBe(before + 1)
    const stranger = await givePassword(STRANGER, early.device())
    for (let count = 1; count <= 5; count++) await stranger.code(renewed.wrong())
    const elsewhere = await givePassword(STRANGER)
    expect((await elsewhere.code(renewed.fresh())).code).toBe('locked')
  })
})

describe('wrong codes of a login', () => {
  test('lock a known browser of its own, and the machine on its own', async () => {
    const guarded = await startGuarded()
    const { app, givePassword } = guarded
    const mine = await givePassword(STRANGER)
    await mine.code(app.fresh())
    const inBrowser = await givePassword(STRANGER, mine.device())
    for (let count = 1; count <= 5; count++) await inBrowser.code(app.wrong())
    expect((await inBrowser.code(app.fresh())).code).toBe('locked')
    await lockOut(guarded, '')
    expect((await (await givePassword(STRANGER)).code(app.fresh())).status).toBe(200)
  })

  test('lock for five minutes, then twice as long each time; a right one begins anew', async () => {
    const { app, givePassword, clock } = await startGuarded()
    const browser = await givePassword()
    for (let count = 1; count <= 5; count++) await browser.code(app.wrong())
    const first = await browser.code(app.wrong())
    expect([first.code, first.retryAfter]).toEqual(['locked', 300])
    clock.advance(300)
    const later = await givePassword()
    expect(await later.code(app.wrong())).toMatchObject({ code: 'invalid_code' })
    const second = await later.code(app.wrong())
    expect([second.code, second.retryAfter]).toEqual(['locked', 600])
    clock.advance(600)
    expect((await (await givePassword()).code(app.fresh())).status).toBe(200)
    const anew = await givePassword()
    for (let count = 1; count <= 5; count++) {
      expect((await anew.code(app.wrong())).code).toBe('invalid_code')
    }
  })

  test('are no matter of a session, nor are those of a session one of a login', async () => {
    const { app, givePassword, owner } = await startGuarded()
    const browser = await givePassword()
    for (let count = 1; count <= 4; count++) await browser.code(app.wrong())
    for (let count = 1; count <= 5; count++) {
      await owner.send('POST', '/api/user/2fa/disable', { code: app.wrong() })
    }
    const locked = await owner.send('POST', '/api/user/2fa/disable', { code: app.fresh() })
    expect(locked.body.code).toBe('locked')
    expect((await browser.code(app.fresh())).status).toBe(200)
    const still = await owner.send('POST', '/api/user/2fa/disable', { code: app.fresh() })
    expect(still.body.code).toBe('locked')
  })
})

describe('a year of guessing codes', () => {
  const YEAR = 365 * 86_400
  const RIGHT_AT_ONCE = 3
  const luckOf = (guesses: number): number => 1 - (1 - RIGHT_AT_ONCE / 1_000_000) ** guesses

  /** Guesses that are looked at in a year of trying whenever it is allowed; `pause` seconds after each `burst`. */
  function guessesInAYear(from: (count: number) => object, burst = Infinity, pause = 0): number {
    const clock = holdClock()
    const codes = new LoginCodes()
    const end = Date.now() + YEAR * 1000
    let count = 0
    while (Date.now() < end) {
      const attempt = {
        ...{ account: 'user 1', address: '203.0.113.9', device: null, isLocal: false },
        ...{ signal: new AbortController().signal },
        ...from(count),
      }
      try {
        codes.refuse(attempt)
      } catch (error) {
        clock.advance((error as { retryAfter: number }).retryAfter)
        continue
      }
      codes.add(attempt)
      count++
      if (count % burst === 0) clock.advance(pause)
    }
    return count
  }

  const everywhere = (count: number) => ({
    address: `10.${count >> 16}.${count >> 8}.${count & 255}`,
  })

  test.each([
    ['one address', () => ({}), Infinity],
    ['an address each', everywhere, Infinity],
    ['an address each, nine and a pause', everywhere, 9],
    ['one address, four and a pause', () => ({}), 4],
    ['the machine itself', () => ({ isLocal: true }), Infinity],
    ['a browser whose cookie was stolen', () => ({ device: 'device 1 abc' }), Infinity],
    ['such a browser, four and a pause', () => ({ device: 'device 1 abc' }), 4],
  ])('from %s has a chance of less than three in a hundred', (_name, from, burst) => {
    const pauses = burst === Infinity ? [0] : [3600, 86_400]
    for (const pause of pauses) {
      const guesses = guessesInAYear(from, burst, pause)
      expect(guesses).toBeGreaterThan(1000)
      expect(luckOf(guesses), `${guesses} guesses`).toBeLessThan(0.03)
    }
  })
})
