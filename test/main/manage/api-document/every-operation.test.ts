import { describe, expect, test } from 'vitest'
import { allOperations } from '../../../../main/manage/operation/invoke.ts'
import type { Operation } from '../../../../main/manage/operation/operation.ts'
import { type Management, startManagement, type Visitor } from '../management.ts'

const answering = allOperations.filter((one): one is Operation => one.kind === 'operation')

/** Milliseconds: every operation is asked, one after the other. */
const SLOW = 60_000

/** A path with its parameters filled in. */
const filled = (path: string): string => path.replaceAll(/:\w+/g, '999999')

const withBody = answering.filter(({ http }) => http.method === 'POST' || http.method === 'PUT')

/** Those that answer with a page, by what their output says. */
const paged = answering.filter(({ output, http }) => {
  const shape = (output as { shape?: Record<string, unknown> } | undefined)?.shape
  return http.method === 'GET' && shape !== undefined && 'items' in shape && 'total' in shape
})

async function setUp(): Promise<Management & { send: Visitor['send'] }> {
  const management = await startManagement()
  return { ...management, send: management.owner.send }
}

describe('every operation', () => {
  test.each(allOperations.map((one) => [one.name, one] as const))(
    '%s says what it does and what it answers',
    (_name, operation) => {
      expect(operation.summary).toMatch(/^\p{Lu}.*\.$/u)
      if (operation.kind === 'operation') expect(operation.output).toBeDefined()
    },
  )

  test('is at one place of its own', () => {
    const places = allOperations.map(({ http }) => `${http.method} ${http.path}`)
    expect(new Set(places).size).toBe(places.length)
    expect(new Set(allOperations.map(({ name }) => name)).size).toBe(allOperations.length)
  })

  test(
    'is reached with and without a trailing slash, and never by a redirect',
    async () => {
      const { gateway, owner } = await setUp()
      // Signing out comes last: strangers may not ask so often.
      const inOrder = [...allOperations].sort(
        (one, other) => Number(/logout/.test(one.name)) - Number(/logout/.test(other.name)),
      )
      for (const { name, http } of inOrder) {
        for (const slash of ['', '/']) {
          const isRead = http.method === 'GET' || http.method === 'DELETE'
          const response = await fetch(`${gateway.url}${filled(http.path)}${slash}`, {
            method: http.method,
            redirect: 'manual',
            // The media type keeps an operation from changing anything; all that counts is that it is found.
            headers: { cookie: owner.cookie, ...(isRead ? {} : { 'content-type': 'text/plain' }) },
          })
          expect([301, 302, 307, 308, 405, 429], `${name}${slash}`).not.toContain(response.status)
          expect(await response.text(), `${name}${slash}`).not.toContain('There is nothing at')
        }
      }
    },
    SLOW,
  )

  test('is not run by HEAD', async () => {
    const { owner } = await setUp()
    for (const { http } of answering.filter((one) => one.http.method === 'GET')) {
      expect((await owner.send('HEAD', filled(http.path))).status, http.path).toBe(404)
    }
  })

  test('refuses another method in the envelope and says which ones there are', async () => {
    const { send } = await setUp()
    for (const path of new Set(answering.map(({ http }) => http.path))) {
      const { status, headers, body } = await send('PATCH', filled(path))
      expect(status, path).toBe(405)
      expect(headers.get('allow')).toMatch(/^(GET|POST|PUT|DELETE)(, (GET|POST|PUT|DELETE))*$/)
      expect(body).toMatchObject({ success: false, code: 'method_not_allowed' })
    }
  })
})

describe('whatever takes a body', () => {
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'refuses %s, which any site can make a browser send',
    async (type) => {
      const { send } = await setUp()
      for (const { http, name, limit } of withBody) {
        if (limit === 'critical') continue
        const { status, body } = await send(http.method, filled(http.path), 'a=b', {
          'content-type': type,
        })
        // Some are refused for another reason before their body is looked at, but none is run.
        expect(body.success, name).toBe(false)
        if (status !== 403 && status !== 409) expect(status, name).toBe(415)
      }
    },
  )

  test('refuses what is larger than its limit', async () => {
    const { send } = await setUp()
    const large = JSON.stringify({ x: 'x'.repeat(1024 * 1024) })
    for (const { http, name, bodyLimit } of withBody) {
      if (bodyLimit !== undefined) continue
      const { status, body } = await send(http.method, filled(http.path), large)
      expect(body.success, name).toBe(false)
      if (![403, 409, 429].includes(status)) expect(status, name).toBe(413)
    }
  })

  test('refuses what is no JSON, and what is no object', async () => {
    const { send } = await setUp()
    for (const { http, name, limit } of withBody) {
      if (limit === 'critical') continue
      for (const sent of ['{"a": ', '[1]', '"text"', 'null']) {
        const { status, body } = await send(http.method, filled(http.path), sent)
        expect(body.success, `${name}: ${sent}`).toBe(false)
        if (![403, 409].includes(status))
          expect(body.code, `${name}: ${sent}`).toBe('invalid_params')
      }
    }
  })

  test('names a field that there is none of', async () => {
    const { send } = await setUp()
    const strict = withBody.filter(({ limit, input }) => {
      const { catchall } = input.def as { catchall?: { def: { type: string } } }
      return limit !== 'critical' && catchall?.def.type === 'never'
    })
    expect(strict.length).toBeGreaterThan(10)
    for (const { http, name } of strict) {
      const { status, body } = await send(http.method, filled(http.path), { colour: 'red' })
      expect(status === 400 || status === 403 || status === 409, name).toBe(true)
      expect(body.success, name).toBe(false)
    }
  })
})

describe('a page of another site', () => {
  test('may ask for nothing at all', async () => {
    const { send } = await setUp()
    for (const { http, name } of answering) {
      const { status, body } = await send(http.method, filled(http.path), undefined, {
        origin: 'https://evil.example.com',
      })
      expect(status, name).toBe(403)
      expect(body.code).toBe('origin_not_allowed')
    }
  })
})

describe('every paged list', () => {
  test('is among those that are checked here', () => {
    expect(paged.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['token.list', 'channel.list', 'call.list']),
    )
  })

  test.each(paged.map((one) => [one.name, one] as const))('%s', async (_name, { http, limit }) => {
    const { owner } = await setUp()
    const standard = http.path === '/api/channel/search' ? 20 : 10
    const pageOf = async (query: string) => (await owner.get(`${http.path}?${query}`)).body.data
    const plain = await pageOf('')
    expect(plain.items).toBeInstanceOf(Array)
    expect(plain.total).toBeTypeOf('number')
    if (!('page_size' in plain)) return
    expect(plain).toMatchObject({ page: 1, page_size: standard })
    const asked: [query: string, page: number, size: number][] = [
      ['p=-3&page_size=1000', 1, 100],
      ['p=2&ps=5', 2, 5],
      ['p=x&size=7', 1, 7],
      ['page_size=0', 1, standard],
      ['page_size=-1&p=0', 1, standard],
    ]
    for (const [query, page, page_size] of limit === 'search' ? asked.slice(0, 3) : asked) {
      expect(await pageOf(query), query).toMatchObject({ page, page_size })
    }
    expect((await pageOf('p=99999')).items).toEqual([])
  })
})

describe('with LegacyStatus', () => {
  test('a failure of the business answers 200 with the same body, and its status on request', async () => {
    const { owner, gateway } = await setUp()
    const cases = [
      ['GET', '/api/token/999999', undefined],
      ['GET', '/api/channel/999999', undefined],
      ['POST', '/api/token', {}],
      ['PUT', '/api/option', { key: 'RetryTimes', value: 'many' }],
      ['POST', '/api/setup', { username: 'x' }],
    ] as const
    for (const [method, path, sent] of cases) {
      gateway.parts.settings.update({ LegacyStatus: false })
      const strict = await owner.send(method, path, sent)
      expect(strict.status).toBeGreaterThanOrEqual(400)
      gateway.parts.settings.update({ LegacyStatus: true })
      const legacy = await owner.send(method, path, sent)
      expect(legacy.status, path).toBe(200)
      expect({ ...legacy.body, request_id: '' }).toEqual({ ...strict.body, request_id: '' })
      const asked = await owner.send(method, path, sent, { 'x-api-errors': 'status' })
      expect(asked.status).toBe(strict.status)
    }
  })

  test('what is no business keeps its status', async () => {
    const { owner, gateway, visitor } = await setUp()
    gateway.parts.settings.update({ LegacyStatus: true })
    expect((await visitor().get('/api/user/self')).status).toBe(401)
    expect((await owner.get('/api/no/such/path')).status).toBe(404)
    expect((await owner.send('PATCH', '/api/token')).status).toBe(405)
    expect((await owner.send('POST', '/api/token', 'a', { 'content-type': 'a/b' })).status).toBe(
      415,
    )
    const large = { name: 'x'.repeat(1024 * 1024) }
    expect((await owner.send('POST', '/api/token', large)).status).toBe(413)
    const foreign = await owner.get('/api/token', { origin: 'https://evil.example.com' })
    expect(foreign.status).toBe(403)
    for (let round = 0; round < 21; round++) await owner.send('POST', '/api/token/1/key', {})
    const limited = await owner.send('POST', '/api/token/1/key', {})
    expect(limited.status).toBe(429)
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
