import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { echoChannel, startManagement } from '../management.ts'

describe('the envelope of the management API', () => {
  test('a path that does not exist is a 404 with an envelope, not a page', async () => {
    const { visitor } = await startManagement()
    const { status, headers, body } = await visitor().get('/api/nothing/here')
    expect(status).toBe(404)
    expect(headers.get('content-type')).toContain('application/json')
    expect(body).toMatchObject({ success: false, code: 'not_found' })
    expect(body.message).toContain('/api/nothing/here')
  })

  test('a wrong method is a 405 that says which ones are right', async () => {
    const { visitor } = await startManagement()
    const { status, headers, body } = await visitor().send('PATCH', '/api/token/')
    expect(status).toBe(405)
    expect(headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'POST', 'PUT'])
    expect(body.success).toBe(false)
  })

  test('HEAD never runs an operation that reading has side effects in', async () => {
    const { owner, gateway } = await startManagement()
    expect((await owner.send('HEAD', '/api/user/token')).status).toBe(404)
    expect(gateway.parts.users.byId(1)?.accessToken).toBeNull()
  })

  test('collections answer with and without a trailing slash, and never redirect', async () => {
    const { owner } = await startManagement()
    for (const path of ['/api/channel', '/api/token', '/api/log', '/api/data', '/api/option']) {
      expect((await owner.get(path)).status).toBe(200)
      expect((await owner.get(`${path}/`)).status).toBe(200)
    }
  })

  test('malformed JSON is named as such, with status 400', async () => {
    const { owner } = await startManagement()
    const { status, body } = await owner.send('POST', '/api/token/', '{"name": ')
    expect(status).toBe(400)
    expect(body).toMatchObject({ success: false, code: 'invalid_params' })
    expect(body.message).toMatch(/not valid JSON/)
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'a body of type %s, which any site can make a browser send, is refused',
    async (type) => {
      const { owner, gateway } = await startManagement()
      const { status } = await owner.send('POST', '/api/token/', '{"name":"x"}', {
        'content-type': type,
      })
      expect(status).toBe(415)
      expect(gateway.parts.tokens.all()).toHaveLength(0)
    },
  )

  test('a body of more than 1 MiB is refused, and 256 KiB are enough for a login', async () => {
    const { owner, visitor } = await startManagement()
    const large = await owner.send('POST', '/api/token/', { name: 'x'.repeat(1024 * 1024) })
    expect(large.status).toBe(413)
    expect(large.body.code).toBe('payload_too_large')
    const login = await visitor().send('POST', '/api/user/login', {
      username: 'x'.repeat(257 * 1024),
      password: 'y',
    })
    expect(login.status).toBe(413)
  })

  test('answers are never cached and carry a request id, which a failure quotes', async () => {
    const { visitor } = await startManagement()
    const { headers, body } = await visitor().get('/api/user/self')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-new-api-version')).toBeTruthy()
    expect(headers.get('x-oneapi-request-id')).toBe((body as { request_id?: string }).request_id)
  })

  test('a broken escape in a path is the caller’s mistake', async () => {
    const { owner } = await startManagement()
    const { status, body } = await owner.get('/api/channel/%zz')
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_params')
  })

  test('a failure inside tells nothing but the request id', async () => {
    const { owner, gateway } = await startManagement()
    gateway.parts.ledger.list = () => {
      throw new Error('SQLITE_CORRUPT in /secret/path')
    }
    const { status, body } = await owner.get('/api/log/')
    expect(status).toBe(500)
    expect(body.code).toBe('internal')
    expect(body.message).not.toMatch(/SQLITE|secret/)
    expect(body.message).toContain('request id')
  })

  test('a client that breaks off while sending harms nobody else', async () => {
    const { gateway, visitor } = await startManagement()
    const socket = connect(gateway.port, '127.0.0.1')
    socket.end(
      `POST /api/user/login HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"us`,
    )
    await new Promise((resolve) => socket.on('close', resolve).resume())
    expect((await visitor().get('/api/status')).status).toBe(200)
  })
})

describe('statuses for clients of new-api', () => {
  const legacy = async () => {
    const management = await startManagement()
    management.gateway.parts.settings.update({ LegacyStatus: true })
    return management
  }

  test('with LegacyStatus a business failure is a 200 that says so', async () => {
    const { owner } = await legacy()
    const { status, body } = await owner.get('/api/token/99')
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: false, code: 'not_found' })
    expect((await owner.send('POST', '/api/token/', {})).status).toBe(200)
  })

  test('with LegacyStatus "not signed in" stays a 401 and an unknown path a 404', async () => {
    const { visitor } = await legacy()
    expect((await visitor().get('/api/user/self')).status).toBe(401)
    expect((await visitor().get('/api/nothing')).status).toBe(404)
  })

  test('with LegacyStatus an unknown access token and a wrong password are 200 too', async () => {
    const { visitor } = await legacy()
    const token = await visitor().get('/api/user/self', { authorization: 'Bearer wrong' })
    expect(token.status).toBe(200)
    expect(token.body.code).toBe('invalid_access_token')
    const login = await visitor().send('POST', '/api/user/login', { username: 'a', password: 'b' })
    expect(login.status).toBe(200)
    expect(login.body).toMatchObject({ success: false, code: 'invalid_credentials' })
  })

  test('with LegacyStatus single failures keep the status that new-api gives them', async () => {
    const { owner, visitor } = await legacy()
    const statuses = [
      await visitor().get('/api/ratio_config'),
      await visitor().send('POST', '/api/user/login/2fa', { code: '123456' }),
      await owner.send('PUT', '/api/option', '{"key":'),
      await owner.send('POST', '/api/channel/fetch_models', '{"type":'),
      await owner.get('/api/channel/tag/models'),
      // Faults inside a body that can be read are told as ever.
      await owner.send('PUT', '/api/option', { key: 'Unknown', value: '1' }),
    ].map(({ status, body }) => [status, body.success])
    expect(statuses).toEqual([403, 200, 400, 400, 400, 200].map((status) => [status, false]))
  })

  test('X-Api-Errors: status asks for the real status all the same', async () => {
    const { owner } = await legacy()
    expect((await owner.get('/api/token/99', { 'x-api-errors': 'status' })).status).toBe(404)
  })
})

describe('wrong input', () => {
  test.each([
    [{}, 'name', /"name" is missing/],
    [{ name: 5 }, 'name', /must be text/],
    [{ name: 'x', unlimited_quota: 'yes' }, 'unlimited_quota', /true or false/],
    [{ name: 'x', remain_quota: -1 }, 'remain_quota', /negative/],
    [{ name: 'x', remain_quota: 1.5 }, 'remain_quota', /whole number/],
    [{ name: 'x', colour: 'red' }, 'colour', /no field "colour"/],
    [{ name: 'x'.repeat(51) }, 'name', /at most 50/],
  ])('%j names the field %s and what is wrong with it', async (input, field, sentence) => {
    const { owner, gateway } = await startManagement()
    const { status, body } = await owner.send('POST', '/api/token/', input)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'invalid_params', field })
    expect(body.message).toMatch(sentence)
    expect(gateway.parts.tokens.all()).toHaveLength(0)
  })

  test('a field deep inside is named with its path', async () => {
    const { owner } = await startManagement()
    const { body } = await owner.send('POST', '/api/channel/', {
      mode: 'single',
      channel: echoChannel({ weight: 'heavy' }),
    })
    expect(body.field).toBe('channel.weight')
    expect(body.message).toContain('"channel.weight"')
  })
})

describe('paging', () => {
  test('starts at 1, holds 10, and takes at most 100', async () => {
    const { owner, gateway } = await startManagement()
    for (let index = 0; index < 12; index++) {
      gateway.parts.tokens.create({ userId: 1, name: `token ${index}` })
    }
    const first = (await owner.get('/api/token/')).body.data
    expect(first).toMatchObject({ page: 1, page_size: 10, total: 12 })
    expect(first.items.map(({ id }: { id: number }) => id)).toEqual([
      12, 11, 10, 9, 8, 7, 6, 5, 4, 3,
    ])
    const second = (await owner.get('/api/token/?p=2&ps=5')).body.data
    expect(second).toMatchObject({ page: 2, page_size: 5 })
    expect(second.items[0].id).toBe(7)
    expect((await owner.get('/api/token/?p=-3&page_size=1000')).body.data).toMatchObject({
      page: 1,
      page_size: 100,
    })
    expect((await owner.get('/api/token/?p=99')).body.data.items).toEqual([])
    const twice = await owner.get('/api/token/?p=1&p=2')
    expect([twice.status, twice.body.message]).toEqual([400, 'The field "p" must be one number.'])
  })
})
