import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { refusedSource } from '../../../main/manage/calls/refused-source.ts'
import type { StoredRefusal } from '../../../main/store/refused/refused-request.ts'
import { type Pair, type SendOptions, startPair } from '../../support/gateway/pair.ts'
import { vendorReply } from '../../support/upstreams/vendor-replies.ts'

let pair: Pair
/** The id of the last row of the test before. */
let last = 0
/** The vendor refuses every call. */
let isRefusing = false

beforeAll(async () => {
  pair = await startPair({
    handler: (request) => (isRefusing ? { status: 400, body: '{}' } : vendorReply(request)),
  })
})
afterAll(() => pair.close())
/** Each second has 20 rows of one address. */
async function untilRoomFor(count: number): Promise<void> {
  const second = Math.floor(Date.now() / 1000)
  const taken = pair.gateway.parts.refused
    .list({ limit: 20 })
    .filter(({ time }) => Math.floor(time / 1000) === second)
  if (taken.length + count <= 20) return
  await new Promise((resolve) => setTimeout(resolve, 1000 - (Date.now() % 1000) + 5))
}

beforeEach(async () => {
  await untilRoomFor(4)
  last = pair.gateway.parts.refused.list({ limit: 1 })[0]?.id ?? 0
})

/** The rows of this test, the oldest first. */
const rows = (): StoredRefusal[] =>
  pair.gateway.parts.refused.list({ limit: 1000, matches: ({ id }) => id > last }).reverse()

function onlyRow(): StoredRefusal {
  const [row, ...others] = rows()
  expect(others).toEqual([])
  if (!row) throw new Error('no row')
  return row
}

/** Sends bytes and hears the connection to its end. */
function raw(text: string | Buffer, wait = 0): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(pair.gateway.port, '127.0.0.1')
    let heard = ''
    socket.setEncoding('latin1')
    socket.on('data', (piece) => {
      heard += piece
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(heard))
    socket.write(text)
    if (wait > 0) setTimeout(() => socket.end(), wait)
  })
}

const host = () => `Host: 127.0.0.1:${pair.gateway.port}`
const chat = { model: 'chat-model', messages: [{ role: 'user', content: 'hi' }] }
const post = (path: string, options: SendOptions = {}) =>
  pair.send(path, { body: chat, ...options })

describe('a refused request leaves one row', () => {
  test('that says who called what, and why not', async () => {
    const answer = await post('/v1/chat/completions?a=1', {
      body: '{"model": ',
      headers: { 'user-agent': 'codex/1.2' },
    })
    expect(answer.status).toBe(400)
    const row = onlyRow()
    expect(row).toMatchObject({
      requestId: answer.id,
      method: 'POST',
      path: '/v1/chat/completions?a=1',
      status: 400,
      code: 'invalid_json',
      client: 'codex/1.2',
      ip: '127.0.0.1',
      tokenName: 'test',
      username: 'owner',
      format: 'chat',
      more: 0,
    })
    expect(answer.text).toContain(JSON.stringify(row.message).slice(1, -1))
    expect(Math.abs(row.time - Date.now())).toBeLessThan(5000)
    expect(row.duration).toBeGreaterThan(0)
    expect(pair.gateway.parts.refused.get(answer.id)).toEqual(row)
    expect(pair.rowsOf(answer)).toEqual([])
  })

  const bad: [string, string, SendOptions, Partial<StoredRefusal>][] = [
    ['no model', '/v1/chat/completions', { body: {} }, { code: 'invalid_request', format: 'chat' }],
    [
      'no anthropic-version',
      '/v1/messages',
      { body: { ...chat, max_tokens: 5 } },
      {
        code: 'invalid_request',
        model: 'chat-model',
        format: 'messages',
        hint: 'Your tool sent no anthropic-version: add the header "anthropic-version: 2023-06-01".',
      },
    ],
    [
      'a wrong key',
      '/v1/chat/completions',
      { withoutKey: true, headers: { authorization: `Bearer sk-${'x'.repeat(48)}` } },
      { code: 'unknown_token', status: 401, tokenId: 0, hint: '' },
    ],
    [
      'a vendor’s key',
      '/v1/messages',
      { withoutKey: true, headers: { 'x-api-key': 'sk-ant-api03-0123456789abcdef' } },
      {
        code: 'unknown_token',
        hint: "Your tool sent Anthropic's key (sk-ant-…): put that into a channel, and give the tool a token of this gateway.",
      },
    ],
    [
      'another vendor’s key',
      '/v1beta/models/gemini-x:generateContent',
      { withoutKey: true, headers: { 'x-goog-api-key': 'AIzaSy0123456789abcdef' } },
      {
        code: 'unknown_token',
        model: 'gemini-x',
        format: 'generate-content',
        hint: "Your tool sent Google's key (AIza…): put that into a channel, and give the tool a token of this gateway.",
      },
    ],
    [
      'a key in another header',
      '/v1/models',
      { method: 'GET', body: undefined, withoutKey: true, headers: { apikey: 'sk-abcdefgh' } },
      {
        code: 'missing_token',
        hint: 'Your tool sent its key in the header "apikey": send it as "Authorization: Bearer sk-…".',
      },
    ],
    [
      'a key as a password',
      '/v1/chat/completions',
      { withoutKey: true, headers: { authorization: 'Basic dXNlcjpwYXNzd29yZA==' } },
      {
        code: 'unknown_token',
        hint: 'Your tool sent its key as "Authorization: Basic": send it as "Authorization: Bearer sk-…".',
      },
    ],
    [
      '/v1 twice',
      '/v1/v1/messages',
      {},
      {
        code: 'unknown_path',
        status: 404,
        format: '',
        hint: 'Your tool called /v1/v1/messages: take /v1 off its base URL.',
      },
    ],
    [
      'no /v1',
      '/chat/completions',
      {},
      {
        code: 'unknown_path',
        hint: 'Your tool called /chat/completions: add /v1 to the end of its base URL.',
      },
    ],
    [
      'an unknown path of the API',
      '/api/v1/chat/completions',
      {},
      {
        code: 'unknown_path',
        hint: 'Your tool called /api/v1/chat/completions: take /api off its base URL.',
      },
    ],
    ['a broken escape', '/%zz', {}, { code: 'invalid_params', status: 400 }],
    [
      'a wrong method',
      '/v1/chat/completions',
      { method: 'PUT' },
      { code: 'method_not_allowed', status: 405, method: 'PUT' },
    ],
    [
      'a GET where a WebSocket begins',
      '/v1/realtime',
      { method: 'GET', body: undefined },
      { code: 'upgrade_required', status: 426 },
    ],
    [
      'a Host that isn’t allowed',
      '/v1/chat/completions',
      { headers: { host: 'box.lan:4747' } },
      { code: 'host_not_allowed', status: 403, format: 'chat' },
    ],
    [
      'a Host that isn’t allowed, on a page of the console',
      '/console/',
      { method: 'GET', body: undefined, headers: { host: 'box.lan:4747' } },
      { code: 'host_not_allowed', path: '/console/' },
    ],
    [
      'an Origin that isn’t allowed',
      '/v1/chat/completions',
      { headers: { origin: 'https://app.example' } },
      {
        code: 'origin_not_allowed',
        hint: 'A page of https://app.example called /v1/chat/completions: add https://app.example to AllowedOrigins in Settings.',
      },
    ],
    [
      'a form where JSON is taken',
      '/v1/chat/completions',
      { headers: { 'content-type': 'multipart/form-data; boundary=x' } },
      { code: 'unsupported_media_type', status: 415 },
    ],
    [
      'an unknown coding',
      '/v1/chat/completions',
      { headers: { 'content-encoding': 'snappy' } },
      { code: 'unsupported_encoding', status: 415 },
    ],
    [
      'a coding that the body is not in',
      '/v1/chat/completions',
      { headers: { 'content-encoding': 'gzip' } },
      { code: 'corrupt_body' },
    ],
    [
      'a model that isn’t there',
      '/v1/models/nowhere',
      { method: 'GET', body: undefined },
      { code: 'model_not_found' },
    ],
  ]
  test.each(bad)('%s', async (_name, path, options, expected) => {
    const answer = await post(path, options)
    const row = onlyRow()
    expect(row).toMatchObject({ path, status: answer.status, requestId: answer.id, ...expected })
    expect(answer.status).toBeGreaterThanOrEqual(400)
  })

  test('a body that is too large', async () => {
    const answer = await raw(
      `POST /v1/chat/completions HTTP/1.1\r\n${host()}\r\nAuthorization: Bearer ${pair.gateway.key}\r\nContent-Length: 99999999\r\n\r\n`,
      200,
    )
    expect(answer).toContain('413')
    expect(onlyRow()).toMatchObject({ code: 'payload_too_large', status: 413, tokenName: 'test' })
  })

  test('an expired token, named', async () => {
    const token = pair.gateway.addToken({ name: 'old', expiredTime: 1 })
    const headers = { authorization: `Bearer ${token.full}` }
    await post('/v1/chat/completions', { body: 'no', headers })
    expect(onlyRow()).toMatchObject({ code: 'token_expired', tokenName: 'old', tokenId: token.id })
  })

  test('the setting that lets the Host in', async () => {
    await post('/v1/models', { headers: { host: 'box.lan:4747' } })
    expect(onlyRow().hint).toBe(
      `Your tool called this gateway "box.lan:4747": add box.lan to AllowedHosts in Settings, or use ${pair.gateway.url}.`,
    )
  })

  test('a client that leaves in the middle of its body', async () => {
    const socket = connect(pair.gateway.port, '127.0.0.1')
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\n${host()}\r\nAuthorization: Bearer ${pair.gateway.key}\r\nContent-Length: 999\r\n\r\n{"mod`,
    )
    await new Promise((resolve) => setTimeout(resolve, 100))
    socket.destroy()
    await expect.poll(rows).toHaveLength(1)
    expect(onlyRow()).toMatchObject({ code: 'client_gone', status: 499, tokenName: 'test' })
  })
})

describe('a refused upgrade leaves one row', () => {
  const upgrade = (path: string, more = '') =>
    raw(
      `GET ${path} HTTP/1.1\r\n${host()}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n${more}\r\n`,
      300,
    )
  const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'

  test('without a key of its handshake', async () => {
    expect(await upgrade('/v1/realtime?model=m')).toContain('400 Bad Request')
    expect(onlyRow()).toMatchObject({ code: 'invalid_request', format: 'realtime', model: 'm' })
  })

  test('without a token', async () => {
    expect(await upgrade('/v1/realtime?model=m', key)).toContain('401')
    expect(onlyRow()).toMatchObject({ code: 'missing_token', method: 'GET' })
  })

  test('without a model', async () => {
    const token = `Authorization: Bearer ${pair.gateway.key}\r\n`
    expect(await upgrade('/v1/realtime', key + token)).toContain('400')
    expect(onlyRow()).toMatchObject({ code: 'invalid_request', tokenName: 'test' })
  })

  test('where the tool goes on over HTTP', async () => {
    const { full } = pair.gateway.addToken({
      modelLimitsEnabled: true,
      modelLimits: ['messages-model'],
    })
    const token = `Authorization: Bearer ${full}\r\n`
    expect(await upgrade('/v1/responses', key + token)).toContain('426')
    expect(onlyRow()).toMatchObject({ code: 'websocket_not_served', status: 426 })
  })

  test('whose subprotocols cannot be read', async () => {
    const token = `Authorization: Bearer ${pair.gateway.key}\r\n`
    const { id } = pair.gateway.addChannel({ type: 1, name: 'with sockets', models: ['m'] })
    onTestFinished(() => void pair.gateway.parts.channels.remove([id]))
    const protocols = 'Sec-WebSocket-Protocol: a,,b\r\n'
    expect(await upgrade('/v1/responses', key + token + protocols)).toContain('400 Bad Request')
    expect(onlyRow()).toMatchObject({ code: 'invalid_request', status: 400 })
  })

  test('whose call the relay refuses: none here', async () => {
    const token = `Authorization: Bearer ${pair.gateway.key}\r\n`
    const before = pair.gateway.rows().length
    expect(await upgrade('/v1/realtime?model=nobody-has-it', key + token)).toContain('404')
    expect(await pair.gateway.rowsWhen(before + 1)).toHaveLength(before + 1)
    expect(rows()).toEqual([])
  })

  test('on a path that has none, which is served as a plain request', async () => {
    await upgrade('/v1/nothing')
    expect(onlyRow()).toMatchObject({ code: 'unknown_path', path: '/v1/nothing' })
  })
})

describe('what Node answers itself leaves one row, and its answer stays', () => {
  const unreadable: [string, string | Buffer, string, Partial<StoredRefusal>][] = [
    [
      'no HTTP',
      'hello\r\n\r\n',
      '400 Bad Request',
      { code: 'malformed_http', method: '', path: '' },
    ],
    [
      'a broken header',
      'POST /v1/messages HTTP/1.1\r\nUser-Agent: odd/1\r\nHost : x\r\n\r\n',
      '400 Bad Request',
      { code: 'malformed_http', method: 'POST', path: '/v1/messages', client: 'odd/1' },
    ],
    [
      'a head that is too large',
      `GET /v1/models HTTP/1.1\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
      { code: 'malformed_http', status: 431, path: '/v1/models' },
    ],
    [
      'TLS',
      Buffer.from('160301020001', 'hex'),
      '400 Bad Request',
      { hint: 'Your tool called https://: begin its base URL with http://.' },
    ],
  ]
  test.each(unreadable)('%s', async (_name, bytes, answer, expected) => {
    expect(await raw(bytes)).toBe(`HTTP/1.1 ${answer}\r\nConnection: close\r\n\r\n`)
    expect(onlyRow()).toMatchObject({ status: 400, ...expected })
  })

  test('HTTP/2', async () => {
    await raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
    expect(onlyRow()).toMatchObject({ hint: 'Switch HTTP/2 off in your tool.' })
  })

  test('a broken chunk of a call', async () => {
    const answer = await raw(
      `POST /v1/chat/completions HTTP/1.1\r\n${host()}\r\nAuthorization: Bearer ${pair.gateway.key}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    )
    expect(answer).toBe('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    expect(onlyRow()).toMatchObject({ code: 'malformed_http', path: '/v1/chat/completions' })
  })

  test('no Host', async () => {
    const answer = await raw('GET /v1/models HTTP/1.1\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\nDate: /)
    expect(onlyRow()).toMatchObject({ code: 'missing_host', path: '/v1/models', method: 'GET' })
  })

  test('no Host, with a body that waits for a word', async () => {
    const answer = await raw(
      'POST /v1/messages HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(onlyRow()).toMatchObject({ code: 'missing_host' })
  })

  test('an expectation that nobody knows', async () => {
    const answer = await raw(`GET /v1/models HTTP/1.1\r\n${host()}\r\nExpect: cake\r\n\r\n`, 200)
    expect(answer).toMatch(/^HTTP\/1\.1 417 Expectation Failed\r\n/)
    expect(onlyRow()).toMatchObject({ code: 'expectation_failed', status: 417 })
  })

  test('a client that takes the gateway for a proxy', async () => {
    expect(await raw('CONNECT api.openai.com:443 HTTP/1.1\r\nHost: api.openai.com\r\n\r\n')).toBe(
      '',
    )
    expect(onlyRow()).toMatchObject({ code: 'proxy_request', status: 0, method: 'CONNECT' })
    expect(onlyRow().hint).toContain('HTTP_PROXY')
  })
})

describe('leaves none here', () => {
  test('a call that is served, or that the relay or the vendor refuses', async () => {
    const served = await post('/v1/chat/completions')
    expect(served.status).toBe(200)
    const unknown = await post('/v1/chat/completions', { body: { ...chat, model: 'nowhere' } })
    expect(unknown.status).toBe(404)
    isRefusing = true
    onTestFinished(() => {
      isRefusing = false
    })
    const refused = await post('/v1/chat/completions')
    expect(refused.status).toBe(400)
    for (const answer of [served, unknown, refused]) expect(pair.rowsOf(answer)).toHaveLength(1)
    expect(rows()).toEqual([])
  })

  test('the console: its failures, and what a browser loads by itself', async () => {
    const wrong = await post('/api/user/login', { body: { username: 'a', password: 'b' } })
    expect(wrong.status).toBeLessThan(500)
    await pair.send('/api/channel', { method: 'GET', withoutKey: true })
    await pair.send('/favicon.ico', { method: 'GET', headers: { 'sec-fetch-dest': 'image' } })
    expect(rows()).toEqual([])
  })

  test('a connection that says nothing', async () => {
    const socket = connect(pair.gateway.port, '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.end()
    onTestFinished(() => void socket.destroy())
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(rows()).toEqual([])
  })
})

describe('hints for base URLs', () => {
  const cases: [string, string][] = [
    ['/v1beta/v1beta/models/m:generateContent', 'take /v1beta off its base URL.'],
    ['/v1/v1beta/models/m:generateContent', 'take /v1 off its base URL.'],
    ['/models/m:generateContent', 'add /v1beta to the end of its base URL.'],
    ['//v1/messages', 'take the slash off the end of its base URL.'],
    ['/v1//chat/completions', 'take the slash off the end of its base URL.'],
    ['/v1/chat/completions/chat/completions', 'take /chat/completions off its base URL.'],
    ['/v1/messages/v1/messages', 'take /v1/messages off its base URL.'],
    ['/openai/chat/completions', 'its base URL must be {url}/v1.'],
  ]
  test.each(cases)('%s', async (path, advice) => {
    await post(path)
    const told = advice.replace('{url}', pair.gateway.url)
    expect(onlyRow().hint).toBe(`Your tool called ${path}: ${told}`)
  })

  test('none where nobody knows', async () => {
    await post('/v1/threads')
    expect(onlyRow()).toMatchObject({ code: 'unknown_path', hint: '' })
  })
})

test('no part of a row tells a key', async () => {
  await untilRoomFor(16)
  const secret = 'sk-ant-api03-Zm9vYmFyYmF6cXV4'
  const plain = 'mistyped-key-of-somebody'
  const own = pair.gateway.key.slice(3)
  for (const key of [secret, plain, own, `sk-${own}-5x`]) {
    const encoded = encodeURIComponent(key)
    const headers = {
      'user-agent': `tool/1 ${key}`,
      authorization: `Bearer ${key}`,
      'x-api-key': key,
    }
    await post(`/v1/${key}/messages?key=${encoded}&x=1`, { headers, withoutKey: true })
    await post(`/v1/messages?api_key=${encoded}`, { headers, withoutKey: true })
    await post(`/v1/chat/completions`, { headers, withoutKey: true, body: `{"model": "${key}` })
    await raw(
      `GET /?key=${key} HTTP/1.1\r\nUser-Agent: ${key}\r\nX-Api-Key: ${key}\r\nHost : x\r\n\r\n`,
    )
  }
  expect(rows().length).toBeGreaterThan(10)
  const text = JSON.stringify(rows())
  for (const key of [secret.slice(8), plain, own, own.slice(8, 20)]) expect(text).not.toContain(key)
  expect(rows()[0]?.path).toBe('/v1/***/messages?key=***&x=1')
})

test('a refused request among calls costs nothing and says why', async () => {
  const answer = await post('/v1/v1/messages', { headers: { 'user-agent': 'claude-cli/2' } })
  const record = refusedSource(pair.gateway.parts.refused).find(answer.id)
  expect(record).toMatchObject({
    ...{ type: 5, quota: 0, status: 404, requestId: answer.id, channelId: 0 },
    content: onlyRow().message,
  })
  expect(JSON.parse(record?.other ?? '')).toEqual({
    request_path: '/v1/v1/messages',
    method: 'POST',
    error_code: 'unknown_path',
    status_code: 404,
    client: 'claude-cli/2',
    hint: 'Your tool called /v1/v1/messages: take /v1 off its base URL.',
  })
})

test('a flood from one address is counted, and has 20 rows a second', async () => {
  const began = Date.now()
  for (let round = 0; round < 20; round++) {
    await Promise.all(Array.from({ length: 25 }, () => post('/v1/v1/messages')))
  }
  const seconds = Math.floor(Date.now() / 1000) - Math.floor(began / 1000) + 1
  const kept = rows()
  expect(kept.length).toBeLessThanOrEqual(20 * seconds)
  expect(kept.reduce((sum, { more }) => sum + 1 + more, 0)).toBe(500)
})
