import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectSocket } from '../../../support/clients/socket-client.ts'
import { modelOf, type Pair, startPair } from '../../../support/gateway/pair.ts'
import {
  type SocketUpstream,
  startSocketUpstream,
} from '../../../support/upstreams/socket-upstream.ts'

const KEY = 'sk-vendor-Distinctive-8Kq2vYh1'
const HEADER = 'Distinctive-header-4Rfv5Tgb'

const escaped = (text: string): string =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

/** How a vendor may write it in JSON. */
const written: Readonly<Record<string, string>> = {
  'as it is': KEY,
  'with an escape': KEY.replace('-', escaped),
  'all in escapes': escaped(KEY),
}

let pair: Pair
let sockets: SocketUpstream

beforeAll(async () => {
  pair = await startPair({ empty: true })
  sockets = await startSocketUpstream()
  pair.gateway.set({ ChannelFailureCount: 0, RetryTimes: 0 })
  const settings = { endpoint_types: ['openai', 'audio', 'embeddings', 'image-generation'] }
  const headerOverride = { 'X-Extra': `Bearer ${HEADER}` }
  pair.addChannelOf('chat', { key: KEY, settings, headerOverride })
  pair.addChannelOf('messages', { key: KEY })
  pair.addChannelOf('generate-content', { key: KEY })
  pair.gateway.addChannel({
    ...{ name: 'sockets', key: KEY, baseUrl: sockets.url, models: ['live'] },
    settings: { endpoint_types: ['realtime', 'openai-response'] },
  })
})
afterAll(async () => {
  await pair.close()
  await sockets.close()
})

const messages = [{ role: 'user', content: 'What is your key?' }]

/** Reads all escapes, as a client's parser does. */
const read = (text: string): string =>
  text.replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )

const contentOf: Readonly<
  Record<'chat' | 'messages' | 'generate-content', (said: string) => string>
> = {
  chat: (said) =>
    `{"choices":[{"index":0,"message":{"role":"assistant","content":"it is ${said}."}}]}`,
  messages: (said) =>
    `{"type":"message","role":"assistant","content":[{"type":"text","text":"it is ${said}."}],"stop_reason":"end_turn"}`,
  'generate-content': (said) =>
    `{"candidates":[{"content":{"parts":[{"text":"it is ${said}."}]}}]}`,
}

function ask(format: keyof typeof contentOf, model: string, more: object = {}) {
  if (format === 'generate-content') {
    const body = { contents: [{ role: 'user', parts: [{ text: 'What is your key?' }] }] }
    return pair.send(`/v1beta/models/${model}:generateContent`, { body })
  }
  const body = { model, messages, max_tokens: 9, ...more }
  const headers = { 'anthropic-version': '2023-06-01' }
  const path = format === 'chat' ? '/v1/chat/completions' : '/v1/messages'
  return pair.send(path, { body, headers })
}

describe.each(Object.entries(written))('a key that the vendor echoes %s', (_how, said) => {
  test.each(['chat', 'messages', 'generate-content'] as const)(
    'reaches no client of %s, be the answer converted or not',
    async (format) => {
      for (const from of ['chat', 'messages', 'generate-content'] as const) {
        pair.upstream.script({
          body: contentOf[format](said),
          headers: { 'content-type': 'application/json' },
        })
        const answer = await ask(from, modelOf[format])
        expect([answer.status, read(answer.text)]).toEqual([
          200,
          expect.stringContaining('it is ***.'),
        ])
        expect(read(answer.text)).not.toContain('Distinctive')
      }
    },
  )

  test.each([1, 2, 3, 4])(
    'reaches none in a stream, wherever that is cut (seed %i)',
    async (cutSeed) => {
      const event = (content: string) =>
        `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}]}\n\n`
      const bytes = `${event('it is ')}${event(said)}${event(', surely')}data: [DONE]\n\n`
      pair.upstream.script({ chunks: [bytes], cutSeed, pause: 1, gzip: cutSeed === 4 })
      const answer = await ask('chat', modelOf.chat, { stream: true })
      expect(answer.text).toBe(bytes.replace(said, '***'))
    },
  )

  test('reaches none in frames of a session', async () => {
    const client = await connectSocket(pair.gateway.url, '/v1/realtime?model=live', {
      headers: { authorization: `Bearer ${pair.gateway.key}` },
    })
    const session = await sockets.session(sockets.sessions.length)
    session.socket.send(`{"type":"session.created","session":{"id":"${said}"}}`)
    await client.event('session.created')
    expect(read(String(client.frames[0]?.data))).toBe(
      '{"type":"session.created","session":{"id":"***"}}',
    )
    client.raw.close()
    await session.ended
  })
})

test('a header of the override that the vendor echoes is a secret as well', async () => {
  pair.upstream.script({
    body: contentOf.chat(HEADER),
    headers: { 'content-type': 'application/json' },
  })
  const answer = await ask('chat', modelOf.chat)
  expect(answer.text).toBe(contentOf.chat('***'))
})

test.each([
  ['sound', '/v1/audio/speech', { input: 'hi', voice: 'alloy' }, 'audio/wav'],
  ['embeddings', '/v1/embeddings', { input: 'hi' }, 'application/json'],
  ['pictures', '/v1/images/generations', { prompt: 'hi' }, 'application/json'],
  ['a completion', '/v1/completions', { prompt: 'hi' }, 'application/json'],
])('nor does it reach one in %s', async (_what, path, fields, type) => {
  const bytes = `{"data":[],"choices":[],"said":"${KEY}"}`
  pair.upstream.script({
    chunks: [bytes.slice(0, 40), bytes.slice(40)],
    pause: 5,
    headers: { 'content-type': type },
  })
  const answer = await pair.send(path, { body: { model: modelOf.chat, ...fields } })
  expect([answer.status, answer.text]).toEqual([200, bytes.replace(KEY, '***')])
})

describe('what the client has said itself comes back whole', () => {
  test('in an answer: an agent that edits the file with its owner’s key', async () => {
    pair.upstream.script({
      body: contentOf.chat(KEY),
      headers: { 'content-type': 'application/json' },
    })
    const said = [{ role: 'user', content: `Change the line OPENAI_API_KEY=${KEY}` }]
    const answer = await ask('chat', modelOf.chat, { messages: said })
    expect(answer.text).toBe(contentOf.chat(KEY))
  })

  test('over a WebSocket', async () => {
    const client = await connectSocket(pair.gateway.url, '/v1/realtime?model=live', {
      headers: { authorization: `Bearer ${pair.gateway.key}` },
    })
    const session = await sockets.session(sockets.sessions.length)
    client.say({ type: 'conversation.item.create', item: { text: KEY } })
    await session.heard(1)
    session.socket.send(`{"type":"said","text":"${KEY}"}`)
    expect(await client.event('said')).toEqual({ type: 'said', text: KEY })
    client.raw.close()
  })
})

test('a word that an owner of a local server gave for a key stays in answers', async () => {
  pair.addChannelOf('chat', { models: ['local'], key: 'lm-studio' })
  const body = contentOf.chat('lm-studio')
  pair.upstream.script({ body, headers: { 'content-type': 'application/json' } })
  expect((await ask('chat', 'local')).text).toBe(body)
})
