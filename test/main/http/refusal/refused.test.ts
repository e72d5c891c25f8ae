import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { StoredRefusal } from '../../../../main/store/refused/refused-request.ts'
import type { SendOptions } from '../../../support/gateway/pair.ts'
import { chat, refusedStage } from './refused-stage.ts'

const stage = refusedStage()

describe('a refused request leaves one row', () => {
  test('that says who called what, and why not', async () => {
    const answer = await stage.post('/v1/chat/completions?a=1', {
      body: '{"model": ',
      headers: { 'user-agent': 'codex/1.2' },
    })
    expect(answer.status).toBe(400)
    const row = stage.onlyRow()
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
    expect(stage.pair.gateway.parts.refused.get(answer.id)).toEqual(row)
    expect(stage.pair.rowsOf(answer)).toEqual([])
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
    const answer = await stage.post(path, options)
    const row = stage.onlyRow()
    expect(row).toMatchObject({ path, status: answer.status, requestId: answer.id, ...expected })
    expect(answer.status).toBeGreaterThanOrEqual(400)
  })

  test('a body that is too large', async () => {
    const answer = await stage.raw(
      `POST /v1/chat/completions HTTP/1.1\r\n${stage.host()}\r\nAuthorization: Bearer ${stage.pair.gateway.key}\r\nContent-Length: 99999999\r\n\r\n`,
      200,
    )
    expect(answer).toContain('413')
    expect(stage.onlyRow()).toMatchObject({
      code: 'payload_too_large',
      status: 413,
      tokenName: 'test',
    })
    // In MiB, as the console says it in every language.
    expect(JSON.parse(stage.onlyRow().reason)).toEqual({ code: 'body_too_large', mebibytes: 64 })
  })

  test('an expired token, named', async () => {
    const token = stage.pair.gateway.addToken({ name: 'old', expiredTime: 1 })
    const headers = { authorization: `Bearer ${token.full}` }
    await stage.post('/v1/chat/completions', { body: 'no', headers })
    expect(stage.onlyRow()).toMatchObject({
      code: 'token_expired',
      tokenName: 'old',
      tokenId: token.id,
    })
  })

  test('the setting that lets the Host in', async () => {
    await stage.post('/v1/models', { headers: { host: 'box.lan:4747' } })
    expect(stage.onlyRow().hint).toBe(
      `Your tool called this gateway "box.lan:4747": add box.lan to AllowedHosts in Settings, or use ${stage.pair.gateway.url}.`,
    )
  })

  test('a client that leaves in the middle of its body', async () => {
    const socket = connect(stage.pair.gateway.port, '127.0.0.1')
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\n${stage.host()}\r\nAuthorization: Bearer ${stage.pair.gateway.key}\r\nContent-Length: 999\r\n\r\n{"mod`,
    )
    await new Promise((resolve) => setTimeout(resolve, 100))
    socket.destroy()
    await expect.poll(stage.rows).toHaveLength(1)
    expect(stage.onlyRow()).toMatchObject({ code: 'client_gone', status: 499, tokenName: 'test' })
  })
})

describe('leaves none here', () => {
  test('a call that is served, or that the relay or the vendor refuses', async () => {
    const served = await stage.post('/v1/chat/completions')
    expect(served.status).toBe(200)
    const unknown = await stage.post('/v1/chat/completions', {
      body: { ...chat, model: 'nowhere' },
    })
    expect(unknown.status).toBe(404)
    stage.isRefusing = true
    onTestFinished(() => {
      stage.isRefusing = false
    })
    const refused = await stage.post('/v1/chat/completions')
    expect(refused.status).toBe(400)
    for (const answer of [served, unknown, refused])
      expect(stage.pair.rowsOf(answer)).toHaveLength(1)
    expect(stage.rows()).toEqual([])
  })

  test('the console: its failures, and what a browser loads by itself', async () => {
    const wrong = await stage.post('/api/user/login', { body: { username: 'a', password: 'b' } })
    expect(wrong.status).toBeLessThan(500)
    await stage.pair.send('/api/channel', { method: 'GET', withoutKey: true })
    await stage.pair.send('/favicon.ico', { method: 'GET', headers: { 'sec-fetch-dest': 'image' } })
    expect(stage.rows()).toEqual([])
  })

  test('a connection that says nothing', async () => {
    const socket = connect(stage.pair.gateway.port, '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.end()
    onTestFinished(() => void socket.destroy())
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(stage.rows()).toEqual([])
  })
})
