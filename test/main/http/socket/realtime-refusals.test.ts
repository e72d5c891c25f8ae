import { connect } from 'node:net'
import { request } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connectSocket, refusedUpgrade } from '../../../support/clients/socket-client.ts'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type SocketUpstream,
  startSocketUpstream,
} from '../../../support/upstreams/socket-upstream.ts'

let gateway: TestGateway
let upstream: SocketUpstream

const model = 'gpt-realtime'
const path = `/v1/realtime?model=${model}`
const settings = { endpoint_types: ['openai', 'realtime'] }
const bearer = (key = gateway.key) => ({ authorization: `Bearer ${key}` })
const rowOf = (id: unknown) => gateway.rows().find((row) => row.requestId === id)

beforeAll(async () => {
  gateway = await startTestGateway()
  upstream = await startSocketUpstream()
  const fields = { type: 1, baseUrl: upstream.url, settings }
  gateway.addChannel({ ...fields, name: 'vendor', models: [model] })
  gateway.addChannel({ ...fields, name: 'twice a', models: ['twice'], priority: 2 })
  gateway.addChannel({ ...fields, name: 'twice b', models: ['twice'], key: 'second-key' })
  gateway.addChannel({ type: 14, name: 'claude', baseUrl: upstream.url, models: ['chat-only'] })
  gateway.addChannel({ ...fields, name: 'dead', baseUrl: 'http://127.0.0.1:1', models: ['dead'] })
  gateway.addChannel({ ...fields, name: 'odd', key: 'ключ', models: ['odd-key'] })
})
afterEach(() => {
  upstream.upgrades.length = 0
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

describe('before the upgrade, in plain HTTP', () => {
  test.each([
    ['no key', () => ({}), path, 401, 'invalid_api_key', 'No key was sent'],
    ['a vendor’s key', () => bearer('sk-proj-1'), path, 401, 'invalid_api_key', 'not a token'],
    ['no model', () => bearer(), '/v1/realtime', 400, 'invalid_request', 'add ?model='],
    [
      'a call to join without a model',
      () => bearer(),
      '/v1/realtime?call_id=c',
      400,
      'invalid_request',
      '&model=',
    ],
    [
      'an unknown model',
      () => bearer(),
      '/v1/realtime?model=x',
      404,
      'model_not_found',
      'does not exist here',
    ],
    [
      'a model without such a channel',
      () => bearer(),
      '/v1/realtime?model=chat-only',
      400,
      'format_not_served',
      'anthropic',
    ],
    [
      'a route',
      () => {
        const target = { model, channelId: null, tag: null, weight: 0 }
        gateway.parts.routes.create({ name: 'best', targets: [target] })
        return bearer()
      },
      '/v1/realtime?model=best',
      400,
      'format_not_served',
      'no realtime sessions',
    ],
    [
      'a foreign page',
      () => ({ ...bearer(), origin: 'https://evil.example' }),
      path,
      403,
      'origin_not_allowed',
      'evil.example',
    ],
    [
      'a foreign host',
      () => ({ ...bearer(), host: 'evil.example' }),
      path,
      403,
      'host_not_allowed',
      'evil.example',
    ],
    [
      'a broken handshake',
      () => ({ ...bearer(), 'sec-websocket-key': 'short' }),
      path,
      400,
      'invalid_request',
      'Sec-WebSocket-Key',
    ],
    [
      'an old version',
      () => ({ ...bearer(), 'sec-websocket-version': '8' }),
      path,
      400,
      'invalid_request',
      'must be 13',
    ],
    [
      'an upstream that is down',
      () => bearer(),
      '/v1/realtime?model=dead',
      502,
      'upstream_unreachable',
      'nothing listens',
    ],
  ])('%s', async (_name, headers, where, status, code, words) => {
    const refused = await refusedUpgrade(gateway.url, where, headers())
    expect(refused).toMatchObject({ status, json: { error: { code } } })
    expect(refused.json.error.message).toContain(words)
    expect(refused.headers).toMatchObject({
      connection: 'close',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(refused.text)),
    })
    const id = refused.headers['x-oneapi-request-id']
    expect(id).toMatch(/^\d{14}/)
    expect(upstream.sessions).toHaveLength(0)
  })

  test('a token that is used up, and one that may not use the model', async () => {
    const spent = gateway.addToken({ unlimitedQuota: false, grantedQuota: 0 })
    const other = gateway.addToken({ modelLimitsEnabled: true, modelLimits: ['other'] })
    const first = await refusedUpgrade(gateway.url, path, bearer(spent.full))
    expect(first).toMatchObject({ status: 401, json: { error: { code: 'insufficient_quota' } } })
    const second = await refusedUpgrade(gateway.url, path, bearer(other.full))
    expect(second).toMatchObject({ status: 403, json: { error: { code: 'model_not_allowed' } } })
    expect(upstream.upgrades).toHaveLength(0)
  })

  test('the vendor’s status and sentence, and one row', async () => {
    const body = {
      error: { message: 'Model x has no voice.', type: 'invalid_request_error', code: 'no_voice' },
    }
    upstream.refuse({ status: 400, body })
    const refused = await refusedUpgrade(gateway.url, path, bearer())
    expect(refused).toMatchObject({ status: 400, json: { error: { code: 'no_voice' } } })
    expect(refused.json.error.message).toContain('Model x has no voice.')
    expect(rowOf(refused.headers['x-oneapi-request-id'])).toMatchObject({
      type: 5,
      status: 400,
      model,
    })
  })

  test('not the vendor’s 401, which is about the channel’s key', async () => {
    upstream.refuse({ status: 401, body: { error: { message: 'Incorrect API key.' } } })
    const refused = await refusedUpgrade(gateway.url, path, bearer())
    expect(refused).toMatchObject({ status: 502, json: { error: { code: 'channel_key_refused' } } })
    expect(refused.json.error.message).toContain('Incorrect API key.')
  })

  test('a page that answers 200 is no upstream', async () => {
    upstream.refuse({ status: 200, body: '<html>hello</html>' })
    const refused = await refusedUpgrade(gateway.url, path, bearer())
    expect(refused).toMatchObject({ status: 502, json: { error: { code: 'upstream_invalid' } } })
  })
})

describe('another channel', () => {
  test('takes the session that the first refuses; none is asked twice', async () => {
    upstream.refuse({ status: 503, body: { error: { message: 'Busy.' } } })
    const client = await connectSocket(gateway.url, '/v1/realtime?model=twice', {
      headers: bearer(),
    })
    expect(upstream.upgrades.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer vendor-key',
      'Bearer second-key',
    ])
    client.raw.close()
    await client.ended
    upstream.refuse(
      { status: 503, body: { error: { message: 'Busy.' } } },
      { status: 500, body: { error: { message: 'Broken.' } } },
    )
    const refused = await refusedUpgrade(gateway.url, '/v1/realtime?model=twice', bearer())
    expect(refused.status).toBe(500)
    expect(refused.json.error.message).toContain('Broken.')
  })
})

describe('who waits no longer', () => {
  test('lets go of an upstream that does not answer', async () => {
    upstream.refuse('hang')
    const { hostname, port } = new URL(gateway.url)
    const before = gateway.rows().length
    const socket = connect(Number(port), hostname)
    const key = Buffer.alloc(16, 7).toString('base64')
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${gateway.key}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    )
    while (upstream.upgrades.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    socket.destroy()
    const rows = await gateway.rowsWhen(before + 1)
    expect(rows[0]).toMatchObject({ status: 499, model })
    while (upstream.open() > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  })

  test('is who sends more than 64 KB before the answer, and not who sends less', async () => {
    upstream.refuse('hang')
    const { hostname, port } = new URL(gateway.url)
    const before = gateway.rows().length
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    const key = Buffer.alloc(16, 7).toString('base64')
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${gateway.key}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    )
    while (upstream.upgrades.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    socket.write(Buffer.alloc(60 * 1024))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(gateway.rows()).toHaveLength(before)
    expect(upstream.open()).toBe(1)
    socket.write(Buffer.alloc(5 * 1024))
    expect((await gateway.rowsWhen(before + 1))[0]).toMatchObject({ status: 499, model })
    socket.destroy()
  })
})

test('a channel key that no header can hold is told as the channel’s fault', async () => {
  const refused = await refusedUpgrade(gateway.url, '/v1/realtime?model=odd-key', bearer())
  expect(refused).toMatchObject({ status: 502, json: { error: { code: 'upstream_unreachable' } } })
  expect(refused.json.error.message).toContain("check the channel's key")
  expect(refused.text).not.toContain('ключ')
})

describe('other wishes to upgrade', () => {
  test.each(['h2c', 'websocket'])('%s beside a plain request is passed over', async (upgrade) => {
    const { hostname, port } = new URL(gateway.url)
    const socket = connect(Number(port), hostname)
    const body = JSON.stringify({ model: 'nobody', messages: [{ role: 'user', content: 'ö' }] })
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${gateway.key}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${upgrade}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
    )
    await new Promise((resolve) => setTimeout(resolve, 30))
    socket.write(body)
    let text = ''
    for await (const chunk of socket) {
      text += chunk
      if (text.includes('model_not_found')) break
    }
    expect(text).toMatch(/^HTTP\/1\.1 404/)
    socket.destroy()
  })

  test('a GET of the console is the console’s', async () => {
    const refused = await refusedUpgrade(gateway.url, '/api/hello')
    expect(refused).toMatchObject({ status: 200, json: { name: 'Switchyard' } })
  })

  test('a GET without an upgrade is told to make one', async () => {
    const answer = await request(gateway.url + path, { headers: bearer() })
    expect(answer.statusCode).toBe(426)
    expect(await answer.body.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
  })
})

test('a host that says it has no WebSocket is not left alone for that', async () => {
  const fields = { type: 1, baseUrl: upstream.url, settings, models: ['plain'] }
  gateway.addChannel({ ...fields, priority: 2 })
  gateway.addChannel({ ...fields, key: 'second-key' })
  for (let call = 0; call < 5; call++) {
    upstream.refuse({ status: 404, body: 'Not Found' })
    const client = await connectSocket(gateway.url, '/v1/realtime?model=plain', {
      headers: bearer(),
    })
    client.raw.close()
    await client.ended
  }
  expect(upstream.upgrades.map(({ headers }) => headers.authorization)).toEqual(
    Array.from({ length: 5 }, () => ['Bearer vendor-key', 'Bearer second-key']).flat(),
  )
})
