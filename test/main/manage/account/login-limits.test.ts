import { scryptSync } from 'node:crypto'
import http from 'node:http'
import { describe, expect, test } from 'vitest'
import { LoginGate } from '../../../../main/manage/account/login-gate.ts'
import { OWNER, startManagement } from '../management.ts'
import { holdClock } from './authenticator.ts'

const wrong = { username: OWNER.username, password: 'not this one' }

interface Answer {
  status: number
  retryAfter: number
  /** `name=value` of each cookie that was set. */
  cookies: string[]
  /** Below which path of the gateway each is sent. */
  paths: string[]
}

interface From {
  /** This machine's address that the connection comes from. */
  localAddress?: string
  /** The client's address, as the proxy in front reports it. */
  client?: string
  cookie?: string
}

/** One login. */
function login(
  url: string,
  body: object,
  { localAddress, client, cookie }: From = {},
): Promise<Answer> {
  const headers = {
    'content-type': 'application/json',
    ...(client && { 'x-forwarded-for': client }),
    ...(cookie && { cookie }),
  }
  const options = { method: 'POST', headers, localAddress, agent: false }
  return new Promise((resolve, reject) => {
    http
      .request(`${url}/api/user/login`, options, (response) => {
        response.resume()
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: Number(response.headers['retry-after'] ?? 0),
          cookies: (response.headers['set-cookie'] ?? []).map((one) => one.split(';')[0] ?? ''),
          paths: (response.headers['set-cookie'] ?? []).map(
            (one) => /; Path=([^;]*)/.exec(one)?.[1] ?? '',
          ),
        })
      })
      .on('error', reject)
      .end(JSON.stringify(body))
  })
}

/** A gateway with a proxy in front, so that a test can come from anywhere. */
async function startBehindProxy() {
  const management = await startCheap()
  management.gateway.parts.settings.update({ TrustedProxies: ['127.0.0.1'] })
  return { ...management, url: management.gateway.url }
}

/** The owner's password hashed at the least cost: these tests send many, and do not measure time. */
const CHEAP = `scrypt$8$8$1$AAAA$${scryptSync(OWNER.password, Buffer.from('AAAA', 'base64'), 32, { N: 256, r: 8, p: 1 }).toString('base64')}`

async function startCheap() {
  const management = await startManagement()
  management.gateway.parts.users.update(1, { passwordHash: CHEAP })
  return management
}

const STRANGER = { client: '203.0.113.9' }

describe('at the machine itself', () => {
  test('guesses from all of its addresses are limited together, and the right password is taken', async () => {
    const { gateway } = await startCheap()
    const answers: Answer[] = []
    for (let count = 1; count <= 22; count++) {
      const localAddress = `127.0.0.${1 + (count % 10)}`
      answers.push(await login(gateway.url, wrong, { localAddress }))
    }
    expect(answers.slice(0, 20).every(({ status }) => status === 401)).toBe(true)
    expect(answers[20]).toMatchObject({ status: 429, retryAfter: 1 })
    expect((await login(gateway.url, OWNER)).status).toBe(200)
    // The right password does not reset the limit for wrong ones.
    expect((await login(gateway.url, wrong)).status).toBe(429)
  })

  test('anonymous reads without end keep nobody from the login page and from signing in', async () => {
    const { gateway, visitor } = await startManagement()
    const through = { 'x-forwarded-for': '203.0.113.9' }
    let status = 200
    for (let count = 0; count < 185; count++) {
      status = (await visitor().get('/api/status', through)).status
      expect((await visitor().get('/api/status')).status).toBe(200)
    }
    expect(status).toBe(429)
    expect((await login(gateway.url, OWNER)).status).toBe(200)
  })

  test('a crowd of logins is told to come back, and those that wait are served', async () => {
    const { gateway } = await startManagement()
    const crowd = Array.from({ length: 40 }, () => login(gateway.url, OWNER))
    const answers = await Promise.all(crowd)
    const served = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 429)
    expect(served.length).toBeGreaterThan(5)
    expect(refused.length).toBeGreaterThan(5)
    expect(served.length + refused.length).toBe(40)
    expect(refused.every(({ retryAfter }) => retryAfter === 2)).toBe(true)
  })
})

describe('from afar', () => {
  test('of many guesses that come at once no more than five are looked at', async () => {
    const gate = new LoginGate()
    const { signal } = new AbortController()
    const place = { account: 'ada', address: '203.0.113.7', device: null, isLocal: false, signal }
    let looked = 0
    const guess = () =>
      gate.check(place, async () => {
        looked++
        return null
      })
    const guesses = await Promise.allSettled(Array.from({ length: 12 }, guess))
    expect(looked).toBe(5)
    expect(guesses.filter(({ status }) => status === 'rejected')).toHaveLength(7)
  })

  test('five wrong passwords make the next login wait, from that address and at no other', async () => {
    const clock = holdClock()
    const { url } = await startBehindProxy()
    for (let count = 0; count < 5; count++) {
      expect((await login(url, wrong, STRANGER)).status).toBe(401)
    }
    expect(await login(url, OWNER, STRANGER)).toMatchObject({ status: 429, retryAfter: 1 })
    expect((await login(url, OWNER, { client: '203.0.113.10' })).status).toBe(200)
    clock.advance(1)
    expect((await login(url, wrong, STRANGER)).status).toBe(401)
    expect(await login(url, OWNER, STRANGER)).toMatchObject({ status: 429, retryAfter: 2 })
    clock.advance(2)
    expect((await login(url, OWNER, STRANGER)).status).toBe(200)
  })

  test('a name in full-width letters or capitals is the same account', async () => {
    const { url } = await startBehindProxy()
    for (const username of ['ada', 'ADA', 'ａｄａ', 'ａdＡ', 'Ada']) {
      expect((await login(url, { ...wrong, username }, STRANGER)).status).toBe(401)
    }
    expect((await login(url, { ...wrong, username: 'ａＤａ' }, STRANGER)).status).toBe(429)
  })

  test('the neighbours in an IPv6 network of 64 bits count as one', async () => {
    const { url } = await startBehindProxy()
    for (let host = 1; host <= 5; host++) {
      await login(url, wrong, { client: `2001:db8::${host}` })
    }
    expect((await login(url, OWNER, { client: '2001:db8::6' })).status).toBe(429)
    expect((await login(url, OWNER, { client: '2001:db8:0:1::6' })).status).toBe(200)
  })

  test('a browser that signed in before is taken all the same, until the password changes', async () => {
    const { url, owner, gateway } = await startBehindProxy()
    const [session = '', cookie = ''] = (await login(url, OWNER, STRANGER)).cookies
    expect(session).toMatch(/^session=/)
    expect(cookie).toMatch(/^switchyard_device=/)
    for (let count = 0; count < 5; count++) await login(url, wrong, STRANGER)
    expect((await login(url, OWNER, STRANGER)).status).toBe(429)
    expect((await login(url, OWNER, { ...STRANGER, cookie })).status).toBe(200)
    const forged = { ...STRANGER, cookie: cookie.replace(/=1\./, '=2.') }
    expect((await login(url, OWNER, forged)).status).toBe(429)

    const password = 'another horse'
    const change = { password, original_password: OWNER.password }
    expect((await owner.send('PUT', '/api/user/self', change)).status).toBe(200)
    const renewed = { ...OWNER, password }
    expect((await login(url, renewed, { ...STRANGER, cookie })).status).toBe(429)
    expect(gateway.parts.users.byId(1)?.deviceEpoch).toBe(1)
  })

  test('a browser that signed in a year ago is a stranger’s again', async () => {
    const clock = holdClock()
    const { url } = await startBehindProxy()
    const year = 365 * 24 * 3600
    const cookie = (await login(url, OWNER, STRANGER)).cookies[1] ?? ''
    clock.advance(year - 60)
    for (let count = 0; count < 5; count++) await login(url, wrong, STRANGER)
    expect((await login(url, OWNER, STRANGER)).status).toBe(429)
    expect((await login(url, OWNER, { ...STRANGER, cookie })).status).toBe(200)
    clock.advance(60)
    for (let count = 0; count < 6; count++) await login(url, wrong, STRANGER)
    expect((await login(url, OWNER, { ...STRANGER, cookie })).status).toBe(429)
  })

  test('ending all other sessions forgets their browsers', async () => {
    const { url, gateway } = await startBehindProxy()
    const [session = '', cookie = ''] = (await login(url, OWNER, STRANGER)).cookies
    await fetch(`${url}/api/user/sessions`, { method: 'DELETE', headers: { cookie: session } })
    for (let count = 0; count < 5; count++) await login(url, wrong, STRANGER)
    expect((await login(url, OWNER, { ...STRANGER, cookie })).status).toBe(429)
    expect(gateway.parts.users.byId(1)?.deviceEpoch).toBe(1)
  })

  test("a browser that is known as one user's is a stranger's for another", async () => {
    const { url, gateway } = await startBehindProxy()
    const { passwordHash } = gateway.parts.users.byId(1) ?? { passwordHash: null }
    gateway.parts.users.create({ username: 'eve', passwordHash })
    const eve = { ...OWNER, username: 'eve' }
    const cookie = (await login(url, eve, STRANGER)).cookies[1] ?? ''
    for (let count = 0; count < 5; count++) await login(url, wrong, { ...STRANGER, cookie })
    expect((await login(url, OWNER, { ...STRANGER, cookie })).status).toBe(429)
    expect((await login(url, eve, { ...STRANGER, cookie })).status).toBe(200)
  })

  test('a flood of anonymous reads from the same address keeps nobody out', async () => {
    const { url } = await startBehindProxy()
    const headers = { 'x-forwarded-for': STRANGER.client }
    let status = 200
    for (let count = 0; count < 185 && status === 200; count++) {
      status = (await fetch(`${url}/api/status`, { headers })).status
    }
    expect(status).toBe(429)
    const { status: signedIn, cookies, paths } = await login(url, OWNER, STRANGER)
    expect(signedIn).toBe(200)
    // Where somebody signed in before, the login page comes up as well.
    const cookie = cookies[1] ?? ''
    const page = await fetch(`${url}${paths[1]}/status`, { headers: { ...headers, cookie } })
    expect(page.status).toBe(200)
  })
})

describe('how long a guesser waits', () => {
  const attempt = (fields: { address?: string; account?: string } = {}) => ({
    ...{ account: 'user 1', address: '203.0.113.9', device: null, isLocal: false },
    ...{ signal: new AbortController().signal },
    ...fields,
  })
  /** Seconds to wait; 0 = it was checked. */
  const fail = (gate: LoginGate, fields = {}): Promise<number> =>
    gate
      .check(attempt(fields), async () => null)
      .then(
        () => 0,
        (error: { retryAfter: number }) => error.retryAfter,
      )

  test('doubles up to 20 minutes, and is forgotten 20 minutes after its end', async () => {
    const clock = holdClock()
    const gate = new LoginGate()
    const waits: number[] = []
    for (let count = 0; count < 18; count++) {
      const wait = await fail(gate)
      if (wait === 0) continue
      waits.push(wait)
      clock.advance(wait)
      await fail(gate)
    }
    expect(waits.slice(0, 5)).toEqual([1, 2, 4, 8, 16])
    expect(Math.max(...waits)).toBe(1200)
    clock.advance(2400)
    for (let count = 0; count < 5; count++) expect(await fail(gate)).toBe(0)
    expect(await fail(gate)).toBe(1)
  })

  test('begins for an address that tries a hundred names', async () => {
    holdClock()
    const gate = new LoginGate()
    for (let count = 0; count < 100; count++) {
      expect(await fail(gate, { account: `name ${count}` })).toBe(0)
    }
    expect(await fail(gate, { account: 'name of another' })).toBe(1)
    expect(await fail(gate, { address: '198.51.100.1' })).toBe(0)
  })

  test('begins for an account that is guessed at from a hundred addresses, and stays below a minute', async () => {
    const clock = holdClock()
    const gate = new LoginGate()
    for (let count = 0; count < 100; count++) {
      expect(await fail(gate, { address: `10.0.0.${count}` })).toBe(0)
    }
    const waits: number[] = []
    for (let count = 0; count < 10; count++) {
      const wait = await fail(gate, { address: `10.0.1.${count}` })
      waits.push(wait)
      clock.advance(wait)
      await fail(gate, { address: `10.0.2.${count}` })
    }
    expect(waits.slice(0, 3)).toEqual([1, 2, 4])
    expect(Math.max(...waits)).toBe(60)
  })
})
