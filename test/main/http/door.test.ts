import http from 'node:http'
import { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGuard } from '../../../main/http/api/guard.ts'
import { type Pair, type SendOptions, startPair } from '../../support/gateway/pair.ts'

let pair: Pair

beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair.close())

const get = (path: string, headers: Record<string, string> = {}, more: SendOptions = {}) =>
  pair.send(path, { method: 'GET', headers, ...more })

describe('names and origins', () => {
  test.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])(
    '%s reaches the gateway',
    async (name) => {
      expect((await get('/v1/models', { host: `${name}:${pair.gateway.port}` })).status).toBe(200)
    },
  )

  test.each([
    'evil.example',
    'evil.example:{port}',
    '127.0.0.1',
    'localhost:1',
    '127.0.0.1.evil.example:{port}',
  ])('a page that points the name %s here gets nothing', async (host) => {
    const name = host.replace('{port}', String(pair.gateway.port))
    for (const path of ['/v1/models', '/api/status', '/console/', '/']) {
      const answer = await get(path, { host: name })
      expect(answer.status).toBe(403)
      expect(answer.text).toContain('AllowedHosts')
    }
  })

  test('at port 80 the names reach it without a port, as browsers send them', () => {
    const { settings, clients } = pair.gateway.parts
    const guardAt = (port: number) =>
      createGuard({ settings, clients, address: () => ({ host: '127.0.0.1', port }) })
    const knock = (port: number, host: string) => {
      const request = new http.IncomingMessage(new Socket())
      request.headers.host = host
      guardAt(port).check(request, new http.ServerResponse(request))
    }
    for (const host of ['127.0.0.1', 'localhost', '[::1]', 'localhost:80']) knock(80, host)
    expect(() => knock(80, 'evil.example')).toThrow('AllowedHosts')
    expect(() => knock(8080, 'localhost')).toThrow('AllowedHosts')
  })

  test('a name that the owner allows reaches it', async () => {
    pair.gateway.set({ AllowedHosts: ['box.lan', 'proxy.lan:8443'] })
    for (const host of [`box.lan:${pair.gateway.port}`, 'box.lan', 'proxy.lan:8443']) {
      expect((await get('/v1/models', { host })).status).toBe(200)
    }
    pair.gateway.set({ AllowedHosts: [] })
    expect((await get('/v1/models', { host: 'box.lan' })).status).toBe(403)
  })

  test.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'file://'])(
    'a web page of %s may not call',
    async (origin) => {
      const answer = await get('/v1/models', { origin })
      expect(answer.status).toBe(403)
      expect(answer.json<{ error: { code: string } }>().error.code).toBe('origin_not_allowed')
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
      expect((await get('/api/status', { origin })).json<{ code: string }>().code).toBe(
        'origin_not_allowed',
      )
    },
  )

  test('the console’s own origin may, and one that is allowed may call models only', async () => {
    expect((await get('/v1/models', { origin: pair.gateway.url })).status).toBe(200)
    const origin = 'https://app.example'
    pair.gateway.set({ AllowedOrigins: [origin] })
    const allowed = await get('/v1/models', { origin })
    expect(allowed.status).toBe(200)
    expect(allowed.headers['access-control-allow-origin']).toBe(origin)
    // Or a cache would give it to pages of other origins.
    expect(allowed.headers.vary).toMatch(/\borigin\b/i)
    const refused = await pair.send('/v1/chat/completions', { body: {}, headers: { origin } })
    expect(refused.headers['access-control-allow-origin']).toBe(origin)
    expect(refused.headers.vary).toMatch(/\borigin\b/i)
    expect((await get('/api/status', { origin })).status).toBe(403)
    const preflight = await pair.send('/v1/chat/completions', {
      method: 'OPTIONS',
      withoutKey: true,
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'authorization',
    })
    pair.gateway.set({ AllowedOrigins: [] })
  })

  test('the error that the allowed page gets is readable for it', async () => {
    const origin = 'https://app.example'
    pair.gateway.set({ AllowedOrigins: [origin] })
    const answer = await get('/v1/models', { origin }, { withoutKey: true })
    expect(answer.status).toBe(401)
    expect(answer.headers['access-control-allow-origin']).toBe(origin)
    pair.gateway.set({ AllowedOrigins: [] })
  })
})

describe('another program on the same machine', () => {
  test('may not have a browser read the management API from its page', async () => {
    for (const site of ['same-site', 'cross-site']) {
      for (const path of ['/api/status', '/pg/models']) {
        const answer = await get(path, { 'sec-fetch-site': site })
        expect(answer.status).toBe(403)
        expect(answer.json<{ code: string }>().code).toBe('origin_not_allowed')
      }
      expect((await get('/console/', { 'sec-fetch-site': site })).status).not.toBe(403)
    }
    for (const site of ['same-origin', 'none']) {
      expect((await get('/api/status', { 'sec-fetch-site': site })).status).toBe(200)
    }
  })

  test('nor by naming the whole address in the request line, as proxies are asked', async () => {
    const { port, url } = pair.gateway
    const status = await new Promise((resolve, reject) => {
      const headers = { 'sec-fetch-site': 'cross-site' }
      http
        .get({ host: '127.0.0.1', port, path: `${url}/api/status`, headers }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        .on('error', reject)
    })
    expect(status).toBe(403)
  })

  test('on another port of an allowed name is another origin', async () => {
    pair.gateway.set({ AllowedHosts: ['box.lan'] })
    const { port } = pair.gateway
    const statusFor = async (host: string, origin: string) =>
      (await get('/api/status', { host, origin })).status
    expect(await statusFor(`box.lan:${port}`, 'http://box.lan')).toBe(403)
    expect(await statusFor(`box.lan:${port}`, `http://box.lan:${port}`)).toBe(200)
    expect(await statusFor('box.lan', 'https://box.lan')).toBe(200)
    // A proxy that passes its own name for the gateway's.
    expect(await statusFor(`127.0.0.1:${port}`, 'https://box.lan')).toBe(200)
    pair.gateway.set({ AllowedHosts: [] })
  })
})

describe('what is asked before a first call', () => {
  test.each(['/', '/api/hello'])('HEAD %s is answered at once', async (path) => {
    const answer = await pair.send(path, { method: 'HEAD', withoutKey: true })
    expect([answer.status, answer.text]).toEqual([200, ''])
  })

  test('GET / answers a client at once and leads a browser to the console', async () => {
    const probe = await get('/', {}, { withoutKey: true })
    expect([probe.status, probe.headers.location]).toEqual([200, undefined])
    expect(probe.json()).toMatchObject({ name: 'Switchyard' })
    const page = await get('/', { accept: 'text/html' }, { withoutKey: true })
    expect(page.status).toBe(200)
    expect(page.text).toContain('url=/console/')
  })
})

describe('every answer carries its own request id', () => {
  test.each([
    ['GET', '/'],
    ['HEAD', '/api/hello'],
    ['GET', '/api/status'],
    ['GET', '/api/nothing'],
    ['GET', '/nothing'],
    ['GET', '/v1/models'],
    ['GET', '/v1/nothing'],
    ['POST', '/v1/messages'],
    ['POST', '/v1/chat/completions'],
    ['POST', '/v1beta/models/x:generateContent'],
  ] as const)('%s %s', async (method, path) => {
    const ids = new Set<string>()
    for (let times = 0; times < 2; times++) ids.add((await pair.send(path, { method })).id)
    expect(ids.size).toBe(2)
    expect([...ids].every((id) => id.length > 10)).toBe(true)
  })
})

describe('a path that does not exist', () => {
  test('says so in the shape of its family', async () => {
    const chat = await pair.send('/v1/nothing', { body: {} })
    expect(chat.status).toBe(404)
    expect(chat.json()).toMatchObject({
      error: {
        type: 'invalid_request_error',
        message: expect.stringContaining('Invalid URL (POST /v1/nothing)'),
      },
    })
    const messages = await pair.send('/v1/messages/nothing', { body: {} })
    expect(messages.status).toBe(404)
    expect(messages.json()).toMatchObject({
      type: 'error',
      error: { type: 'not_found_error', message: 'Invalid URL (POST /v1/messages/nothing)' },
      request_id: messages.id,
    })
    const gemini = await pair.send('/v1beta/nothing', { body: {} })
    expect(gemini.json()).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } })
    const manage = await get('/api/nothing')
    expect(manage.status).toBe(404)
    expect(manage.json()).toMatchObject({ success: false, code: 'not_found' })
  })

  test('a doubled /v1 gets a hint; a slash too many is forgiven', async () => {
    const doubled = await pair.send('/v1/v1/chat/completions', { body: {} })
    expect(doubled.status).toBe(404)
    expect(doubled.text).toContain('take /v1 off its base URL')
    expect((await get('/v1/models/')).status).toBe(200)
  })

  test.each([
    ['GET', '/v1/chat/completions', 'POST'],
    ['DELETE', '/v1/messages', 'POST'],
    ['POST', '/v1/models', 'GET'],
    ['PUT', '/v1beta/models/m:generateContent', 'POST'],
  ] as const)('%s %s names the method that it takes', async (method, path, allowed) => {
    const answer = await pair.send(path, { method })
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBe(allowed)
    expect(answer.text).toContain(`takes ${allowed}, not ${method}`)
  })

  test('a broken escape is the client’s mistake, not a crash', async () => {
    expect((await get('/v1/models/%zz')).status).toBe(404)
    expect((await get('/console/%zz')).status).toBeLessThan(500)
  })
})
