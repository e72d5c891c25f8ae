import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectSocket, refusedUpgrade } from '../../../support/clients/socket-client.ts'
import { vendorClients } from '../../../support/clients/vendor-clients.ts'
import { modelOf, type Pair, startPair } from '../../../support/gateway/pair.ts'
import {
  type Reply,
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'
import {
  type SocketUpstream,
  startSocketUpstream,
} from '../../../support/upstreams/socket-upstream.ts'
import { startManagement } from '../../manage/management.ts'

const statuses = [300, 301, 302, 303, 304, 305, 307, 308] as const

const chatAnswer = {
  id: 'c',
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'stolen' }, finish_reason: 'stop' }],
}

let pair: Pair
/** Where the vendor sends its callers. */
let thief: ScriptedUpstream
let sockets: SocketUpstream

/** Everything that makes a client go elsewhere, in one head. */
const leading = () => ({
  location: `${thief.url}/collect?with=more`,
  refresh: `0; url=${thief.url}/refresh`,
  link: `<${thief.url}/next>; rel="next"`,
  'alt-svc': `h2="${new URL(thief.url).host}"`,
  'content-location': thief.url,
})

const redirect = (status: number, hasLocation = true): Reply => ({
  status,
  ...(status === 304 ? {} : { body: chatAnswer }),
  headers: hasLocation ? leading() : { 'x-request-id': 'req_1' },
})

beforeAll(async () => {
  pair = await startPair()
  thief = await startUpstream(() => ({ body: chatAnswer }))
  sockets = await startSocketUpstream()
  const settings = {
    endpoint_types: [
      'openai',
      'openai-response',
      'embeddings',
      'image-generation',
      'jina-rerank',
      'audio',
    ],
  }
  pair.addChannelOf('chat', { name: 'other', models: ['other', modelOf.responses], settings })
  pair.gateway.addChannel({
    name: 'sockets',
    baseUrl: sockets.url,
    models: ['live'],
    settings: { endpoint_types: ['realtime', 'openai-response'] },
  })
})
// A failure in one test must not leave the channel in cooldown for the next.
beforeEach(() => pair.gateway.set({ RetryTimes: 0, ChannelFailureCount: 0 }))
afterAll(async () => {
  await pair.close()
  await Promise.all([thief.close(), sockets.close()])
})

const turn = { role: 'user', content: 'a secret prompt' }
const chat = { messages: [turn] }
const messages = { messages: [turn], max_tokens: 9 }
const contents = { contents: [{ role: 'user', parts: [{ text: 'a secret prompt' }] }] }
const anthropic = { 'anthropic-version': '2023-06-01' }

const form = (fields: Record<string, string>, file: string) => {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--cut\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return {
    body: `${parts.join('')}--cut\r\ncontent-disposition: form-data; name="${file}"; filename="a.wav"\r\n\r\nbytes\r\n--cut--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=cut' },
  }
}

interface CallRequest {
  path: string
  body: string | object
  headers?: Record<string, string>
}

const json = (path: string, body: object, headers: Record<string, string> = {}): CallRequest => ({
  path,
  body,
  headers,
})

/** A call of every kind, as it passes through or is converted. */
const calls: Readonly<Record<string, CallRequest>> = {
  chat: json('/v1/chat/completions', { model: modelOf.chat, ...chat }),
  'chat, streamed': json('/v1/chat/completions', { model: modelOf.chat, ...chat, stream: true }),
  'chat, converted': json('/v1/chat/completions', { model: modelOf.messages, ...chat }),
  'chat, converted and streamed': json('/v1/chat/completions', {
    ...{ model: modelOf['generate-content'], ...chat, stream: true },
  }),
  messages: json('/v1/messages', { model: modelOf.messages, ...messages }, anthropic),
  'messages, streamed': json(
    '/v1/messages',
    { model: modelOf.messages, ...messages, stream: true },
    anthropic,
  ),
  'messages, converted': json('/v1/messages', { model: modelOf.chat, ...messages }, anthropic),
  responses: json('/v1/responses', { model: modelOf.responses, input: 'hi' }),
  'generate-content': json(
    `/v1beta/models/${modelOf['generate-content']}:generateContent`,
    contents,
  ),
  'generate-content, streamed': json(
    `/v1beta/models/${modelOf['generate-content']}:streamGenerateContent?alt=sse`,
    contents,
  ),
  'embed-content': json(`/v1beta/models/${modelOf['generate-content']}:embedContent`, {
    content: { parts: [{ text: 'hi' }] },
  }),
  completions: json('/v1/completions', { model: 'other', prompt: 'hi' }),
  embeddings: json('/v1/embeddings', { model: 'other', input: 'hi' }),
  'embeddings, converted': json('/v1/embeddings', {
    ...{ model: modelOf['generate-content'], input: 'hi' },
  }),
  images: json('/v1/images/generations', { model: 'other', prompt: 'hi' }),
  speech: json('/v1/audio/speech', { model: 'other', input: 'hi', voice: 'alloy' }),
  rerank: json('/v1/rerank', { model: 'other', query: 'hi', documents: ['a'] }),
  transcriptions: { path: '/v1/audio/transcriptions', ...form({ model: 'other' }, 'file') },
  'image edits': { path: '/v1/images/edits', ...form({ model: 'other', prompt: 'hi' }, 'image') },
}

const host = () => new URL(thief.url).host

function expectNoWayOut(headers: Record<string, unknown>): void {
  for (const name of Object.keys(leading())) expect(headers).not.toHaveProperty(name)
}

describe.each(Object.keys(calls))('%s: a redirect of the vendor', (name) => {
  test.each(statuses)('with %i is a 502 that names the host, and leads nowhere', async (status) => {
    const { path, body, headers = {} } = calls[name] as CallRequest
    pair.upstream.script(redirect(status))
    const refused = await pair.send(path, { body, headers })
    expect([refused.status, refused.text]).toEqual([502, expect.stringContaining(host())])
    expect(refused.json()).toMatchObject({ error: { message: expect.any(String) } })
    expect(refused.text).not.toContain('collect')
    expectNoWayOut(refused.headers)
    expect(pair.rowsOf(refused)).toMatchObject([{ type: 5, status: 502 }])
    expect(thief.requests).toHaveLength(0)
  })
})

test.each(statuses)('%i without a Location is a 502 too', async (status) => {
  pair.upstream.script(redirect(status, false))
  const refused = await pair.send('/v1/chat/completions', calls.chat)
  expect(refused.status).toBe(502)
  expect(refused.text).toContain(`redirects (status ${status})`)
})

test.each([
  ['/login', 'another address on the same host'],
  ['http://[broken', 'an address that cannot be read'],
  ['javascript:alert(1)', 'an address that cannot be read'],
])('a Location of %s is told as %s', async (location, said) => {
  pair.upstream.script({ status: 307, body: chatAnswer, headers: { location } })
  const refused = await pair.send('/v1/chat/completions', calls.chat)
  expect(refused.status).toBe(502)
  expect(refused.text).toContain(said)
  expect(refused.text).not.toContain(new URL(pair.upstream.url).host)
})

test('no status mapping makes a redirect of a failure', async () => {
  pair.addChannelOf('chat', {
    models: ['mapped'],
    statusCodeMapping: { '429': '307', '307': '200' },
  })
  for (const status of [429, 307]) {
    pair.upstream.script({ status, body: { error: { message: 'x' } }, headers: leading() })
    const refused = await pair.send('/v1/chat/completions', { body: { model: 'mapped', ...chat } })
    expect(refused.status).toBe(status === 429 ? 429 : 502)
    expectNoWayOut(refused.headers)
  }
})

test('another channel is tried, and the one that redirects is what is blamed', async () => {
  pair.gateway.set({ RetryTimes: 1, ChannelFailureCount: 1 })
  pair.addChannelOf('chat', { name: 'leads away', models: ['two'], priority: 9 })
  pair.addChannelOf('chat', { name: 'answers', models: ['two'] })
  pair.upstream.script(redirect(307), { body: chatAnswer })
  const served = await pair.send('/v1/chat/completions', { body: { model: 'two', ...chat } })
  expect(served.status).toBe(200)
  const { route } = JSON.parse(pair.rowsOf(served)[0]?.other ?? '{}').admin_info
  expect(route.attempts).toMatchObject([{ status: 307, after: 'next' }, { status: 200 }])
  expect(thief.requests).toHaveLength(0)
})

describe.each([301, 302, 303, 307, 308])(
  'after %i no official client goes to the third party',
  (status) => {
    const clients = () => vendorClients(pair.gateway)
    test.each<[string, () => Promise<unknown>]>([
      [
        'openai',
        () =>
          clients().openai.chat.completions.create({
            model: modelOf.chat,
            messages: [{ role: 'user', content: 'hi' }],
          }),
      ],
      [
        'openai, streamed',
        () =>
          clients().openai.chat.completions.create({
            model: modelOf.chat,
            messages: [{ role: 'user', content: 'hi' }],
            stream: true,
          }),
      ],
      [
        'openai, speech',
        () => clients().openai.audio.speech.create({ model: 'other', input: 'hi', voice: 'alloy' }),
      ],
      [
        'anthropic',
        () =>
          clients().anthropic.messages.create({
            model: modelOf.messages,
            max_tokens: 9,
            messages: [{ role: 'user', content: 'hi' }],
          }),
      ],
      [
        'anthropic, streamed',
        () =>
          clients()
            .anthropic.messages.stream({
              model: modelOf.messages,
              max_tokens: 9,
              messages: [{ role: 'user', content: 'hi' }],
            })
            .finalMessage(),
      ],
      [
        'google',
        () =>
          clients().google.models.generateContent({
            model: modelOf['generate-content'],
            contents: 'hi',
          }),
      ],
    ])('%s', async (_name, ask) => {
      pair.upstream.script(redirect(status))
      await expect(ask()).rejects.toMatchObject({ status: 502 })
      expect(thief.requests).toHaveLength(0)
    })

    test('fetch, which would take the key in x-api-key along', async () => {
      pair.upstream.script(redirect(status))
      const answer = await fetch(`${pair.gateway.url}/v1/messages`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': pair.gateway.key,
          ...anthropic,
        },
        body: JSON.stringify({ model: modelOf.messages, ...messages }),
      })
      expect([answer.status, answer.redirected]).toEqual([502, false])
      expect(await answer.text()).toContain(host())
      expect(thief.requests).toHaveLength(0)
    })
  },
)

test('count_tokens, which the gateway can answer itself, leads nowhere either', async () => {
  pair.upstream.script(redirect(307))
  const body = { model: modelOf.messages, messages: [turn] }
  const counted = await pair.send('/v1/messages/count_tokens', { body, headers: anthropic })
  expect(counted.json()).toEqual({ input_tokens: expect.any(Number) })
  expectNoWayOut(counted.headers)
})

describe.each(statuses)('a WebSocket whose upgrade is answered %i', (status) => {
  const key = () => ({ authorization: `Bearer ${pair.gateway.key}` })

  test('is refused with 502, for a realtime session', async () => {
    sockets.refuse({ status, body: status === 304 ? '' : chatAnswer, headers: leading() })
    const refused = await refusedUpgrade(pair.gateway.url, '/v1/realtime?model=live', key())
    expect([refused.status, refused.text]).toEqual([502, expect.stringContaining(host())])
    expectNoWayOut(refused.headers)
  })

  test('fails the response that was asked for over it', async () => {
    sockets.refuse({ status, body: status === 304 ? '' : chatAnswer, headers: leading() })
    const client = await connectSocket(pair.gateway.url, '/v1/responses', { headers: key() })
    client.say({ type: 'response.create', model: 'live', input: 'hi' })
    const said = await client.event<{ status: number }>('error')
    client.raw.close()
    expect([said.status, JSON.stringify(said)]).toEqual([502, expect.stringContaining(host())])
    expect(thief.requests).toHaveLength(0)
  })
})

test('a page that asks in the playground, the list of models, the balance and the test of a channel stay here', async () => {
  const { owner, gateway } = await startManagement()
  gateway.parts.settings.update({ ChannelFailureCount: 0, RetryTimes: 0 })
  const channel = {
    // DeepSeek, which tells a balance.
    type: 43,
    name: 'vendor',
    key: 'sk-vendor-key-1',
    models: 'chat-model',
    group: 'default',
  }
  const added = await owner.send('POST', '/api/channel/', {
    mode: 'single',
    channel: { ...channel, base_url: pair.upstream.url },
  })
  const [id] = added.body.data.ids
  const asked: [string, string, object?][] = [
    ['POST', '/pg/chat/completions', { model: 'chat-model', ...chat }],
    ['GET', `/api/channel/update_balance/${id}`],
    ['GET', `/api/channel/fetch_models/${id}`],
    ['GET', `/api/channel/test/${id}`],
  ]
  for (const status of statuses) {
    for (const [method, path, body] of asked) {
      pair.upstream.script(redirect(status))
      const answer = await owner.send(method, path, body)
      expect([path, answer.status]).toEqual([path, 502])
      expect(JSON.stringify(answer.body)).toContain(host())
      expectNoWayOut(Object.fromEntries(answer.headers))
    }
  }
  expect(thief.requests).toHaveLength(0)
})
