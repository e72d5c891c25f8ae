import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectSocket } from '../../../support/clients/socket-client.ts'
import { vendorClients } from '../../../support/clients/vendor-clients.ts'
import { modelOf, type Pair, startPair } from '../../../support/gateway/pair.ts'
import {
  type SocketUpstream,
  startSocketUpstream,
} from '../../../support/upstreams/socket-upstream.ts'
import { startManagement } from '../../manage/management.ts'

const KEY = 'sk-vendor-Distinctive-8Kq2vYh1'

/** Headers that vendors' own clients and agents read. */
const read = {
  'x-request-id': 'req_1',
  'request-id': 'req_2',
  'openai-model': 'gpt',
  'openai-organization': 'org',
  'openai-processing-ms': '12',
  'openai-version': '2020-10-01',
  'anthropic-organization-id': 'org-1',
  'anthropic-workspace-id': 'workspace-1',
  'anthropic-ratelimit-requests-remaining': '9',
  'anthropic-ratelimit-unified-status': 'allowed',
  'anthropic-priority-input-tokens-limit': '10000',
  'anthropic-fast-output-tokens-reset': '2026-01-01T00:00:00Z',
  'x-ratelimit-remaining-requests': '99',
  'x-ratelimit-reset-tokens': '6m0s',
  'ratelimit-policy': '100;w=60',
  'x-codex-turn-state': 'opaque',
  'x-codex-primary-used-percent': '3',
  'x-models-etag': 'etag',
  'x-reasoning-included': 'true',
  'x-gemini-service-tier': 'standard',
}

/** Headers that speak for the site or for one connection, or lead elsewhere. */
const spoken = {
  'clear-site-data': '"cache", "cookies", "storage"',
  'set-cookie': 'a=1',
  'content-security-policy': "default-src 'none'",
  'strict-transport-security': 'max-age=31536000',
  'permissions-policy': 'camera=()',
  'cross-origin-opener-policy': 'unsafe-none',
  'cross-origin-resource-policy': 'cross-origin',
  'x-frame-options': 'DENY',
  'referrer-policy': 'unsafe-url',
  'service-worker-allowed': '/',
  sourcemap: '/map',
  'x-dns-prefetch-control': 'on',
  'www-authenticate': 'Basic realm="vendor"',
  'proxy-authenticate': 'Basic realm="vendor"',
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=31536000',
  etag: '"1"',
  expires: 'Thu, 01 Jan 2099 00:00:00 GMT',
  age: '5',
  link: '<http://127.0.0.1:9/>; rel="preload"',
  refresh: '0; url=http://127.0.0.1:9/',
  location: 'http://127.0.0.1:9/',
  'content-location': 'http://127.0.0.1:9/',
  'alt-svc': 'h3=":443"',
  'content-disposition': 'attachment; filename="a.exe"',
  'x-accel-redirect': '/etc/passwd',
  'x-sendfile': '/etc/passwd',
  'x-switchyard-budget': 'nearly used up',
  'x-oneapi-request-id': 'theirs',
  'x-unheard-of': '1',
}

let pair: Pair
let sockets: SocketUpstream

beforeAll(async () => {
  pair = await startPair()
  pair.gateway.set({ ChannelFailureCount: 0, RetryTimes: 0 })
  sockets = await startSocketUpstream({ headers: { ...read, ...spoken, 'x-request-id': 'req_1' } })
  const settings = { endpoint_types: ['openai', 'audio', 'embeddings'] }
  pair.addChannelOf('chat', { name: 'other', models: ['other'], key: KEY, settings })
  pair.gateway.addChannel({
    ...{ name: 'sockets', baseUrl: sockets.url, models: ['live'] },
    settings: { endpoint_types: ['realtime'] },
  })
})
afterAll(async () => {
  await pair.close()
  await sockets.close()
})

/** The gateway sets some of these itself, to values of its own. */
function expectOnlyRead(
  headers: Record<string, unknown>,
  kept: Record<string, string> = read,
): void {
  expect(headers).toMatchObject(kept)
  for (const [name, value] of Object.entries(spoken))
    expect([name, headers[name]]).not.toEqual([name, value])
}

const chat = { model: modelOf.chat, messages: [{ role: 'user', content: 'hi' }] }
const answer = { choices: [{ index: 0, message: { role: 'assistant', content: 'hi' } }] }
const end =
  'data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

describe('of a vendor’s headers a client gets those that its SDK reads, and no other', () => {
  const headers = { ...read, ...spoken }
  test.each([
    ['a whole answer', { body: answer, headers }, '/v1/chat/completions', chat],
    ['a stream', { chunks: [end], headers }, '/v1/chat/completions', { ...chat, stream: true }],
    [
      'a refusal',
      { status: 429, body: { error: { message: 'Slow down.' } }, headers },
      '/v1/chat/completions',
      chat,
    ],
    [
      'sound',
      { body: Buffer.from('RIFF'), headers: { ...headers, 'content-type': 'audio/wav' } },
      '/v1/audio/speech',
      { model: 'other', input: 'hi', voice: 'alloy' },
    ],
    [
      'embeddings',
      { body: { data: [] }, headers },
      '/v1/embeddings',
      { model: 'other', input: 'hi' },
    ],
  ])('with %s', async (_what, reply, path, body) => {
    pair.upstream.script(reply)
    const got = await pair.send(path, { body })
    expect(got.status).toBe('status' in reply ? reply.status : 200)
    expectOnlyRead(got.headers)
  })

  test('with how long to wait, to the millisecond, where the vendor says it in its sentence alone', async () => {
    const body = { error: { message: 'Rate limit reached. Please try again in 1.5s.' } }
    pair.upstream.script({ status: 429, body })
    const { headers } = await pair.send('/v1/chat/completions', { body: chat })
    expect(headers).toMatchObject({ 'retry-after': '2', 'retry-after-ms': '1500' })
  })

  test('with the upgrade of a session', async () => {
    const client = await connectSocket(pair.gateway.url, '/v1/realtime?model=live', {
      headers: { authorization: `Bearer ${pair.gateway.key}` },
    })
    expectOnlyRead(client.headers)
    client.raw.close()
  })

  test('in the playground, where they would sign the browser out', async () => {
    const { owner, gateway } = await startManagement()
    gateway.parts.channels.create({
      ...{ type: 1, name: 'vendor', key: KEY, baseUrl: pair.upstream.url },
      ...{ models: [modelOf.chat], groups: ['default'] },
    })
    pair.upstream.script({ body: answer, headers })
    const got = await owner.send('POST', '/pg/chat/completions', chat)
    expect(got.status).toBe(200)
    const { cookie } = owner
    expectOnlyRead(Object.fromEntries(got.headers))
    expect(owner.cookie).toBe(cookie)
    expect((await owner.get('/api/user/self')).status).toBe(200)
  })

  test('a converted answer has none of them', async () => {
    const message = { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'hi' }] }
    pair.upstream.script({ body: { ...message, stop_reason: 'end_turn' }, headers })
    const got = await pair.send('/v1/chat/completions', {
      body: { ...chat, model: modelOf.messages },
    })
    expect(got.status).toBe(200)
    expectOnlyRead(got.headers, { 'x-request-id': got.id })
  })
})

test('the official clients still find what they look for', async () => {
  const { openai, anthropic, google } = vendorClients(pair.gateway)
  pair.upstream.script({ body: answer, headers: read })
  const first = await openai.chat.completions.create({
    ...{ model: modelOf.chat, messages: [{ role: 'user', content: 'hi' }] },
  })
  expect(first._request_id).toBe('req_1')
  const message = { type: 'message', role: 'assistant', content: [], stop_reason: 'end_turn' }
  pair.upstream.script({ body: message, headers: read })
  const second = await anthropic.messages
    .create({ model: modelOf.messages, max_tokens: 1, messages: [{ role: 'user', content: 'hi' }] })
    .withResponse()
  expect([second.request_id, second.workspace_id]).toEqual(['req_2', 'workspace-1'])
  pair.upstream.script({
    body: { candidates: [{ content: { parts: [{ text: 'hi' }] } }] },
    headers: read,
  })
  const third = await google.models.generateContent({
    ...{ model: modelOf['generate-content'], contents: 'hi' },
  })
  expect(third.sdkHttpResponse?.headers?.['x-gemini-service-tier']).toBe('standard')
})

test('a key that the vendor quotes in a header is taken out of it', async () => {
  const quoting = { 'x-request-id': `req of ${KEY}`, 'x-ratelimit-limit-key': KEY }
  for (const status of [200, 400]) {
    pair.upstream.script({ status, body: { data: [], error: null }, headers: quoting })
    const got = await pair.send('/v1/embeddings', { body: { model: 'other', input: 'hi' } })
    expect(got.status).toBe(status)
    expect(got.headers['x-request-id']).toBe('req of ***')
    expect(JSON.stringify(got.headers)).not.toContain('Distinctive')
  }
})

describe('the vendor’s id of a call that its caller finds in the log tells no key, and is short', () => {
  const id = `req of ${KEY} ${'and more '.repeat(100)}`
  const idOf = (row: { other: string } | undefined) =>
    (JSON.parse(row?.other ?? '{}') as { upstream_request_id?: string }).upstream_request_id

  test.each([200, 400])('with status %i', async (status) => {
    pair.upstream.script({ status, body: answer, headers: { 'x-request-id': id } })
    const [row] = pair.rowsOf(await pair.send('/v1/chat/completions', { body: chat }))
    console.log(row)
    expect(idOf(row)).toMatch(/^req of \*\*\* and more /)
    expect(idOf(row)).toHaveLength(200)
    expect(JSON.stringify(row)).not.toContain('Distinctive')
  })

  test('of a session', async () => {
    const vendor = await startSocketUpstream({ headers: { 'x-request-id': id } })
    onTestFinished(() => vendor.close())
    pair.gateway.addChannel({
      ...{ name: 'telling', baseUrl: vendor.url, models: ['telling'] },
      settings: { endpoint_types: ['realtime'] },
    })
    const before = pair.gateway.rows().length
    const client = await connectSocket(pair.gateway.url, '/v1/realtime?model=telling', {
      headers: { authorization: `Bearer ${pair.gateway.key}` },
    })
    client.raw.close()
    const [row] = await pair.gateway.rowsWhen(before + 1)
    expect(idOf(row)).toMatch(/^req of \*\*\* and more /)
    expect(JSON.stringify(row)).not.toContain('Distinctive')
  })
})
