import { readdirSync, readlinkSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { createConsoleCalls } from '../../../../main/desktop/console-calls.ts'
import type { StreamEvent } from '../../../../preload/contract.ts'
import {
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'
import { echoChannel, type Management, startManagement } from '../management.ts'

const model = 'everything'

async function withVendor(): Promise<Management & { upstream: ScriptedUpstream }> {
  const [management, upstream] = await Promise.all([startManagement(), startUpstream()])
  onTestFinished(() => upstream.close())
  const channel = { type: 1, name: 'Vendor', key: 'k', base_url: upstream.url, group: 'default' }
  await management.owner.send('POST', '/api/channel/', {
    mode: 'single',
    channel: { ...channel, models: model },
  })
  return { ...management, upstream }
}

const calls: [string, string, Record<string, unknown>, Record<string, unknown>][] = [
  [
    '/pg/images/generations',
    '/v1/images/generations',
    { prompt: 'A lighthouse', n: 1 },
    { created: 1, data: [{ b64_json: 'iVBORw0=' }] },
  ],
  [
    '/pg/embeddings',
    '/v1/embeddings',
    { input: ['one'], encoding_format: 'float' },
    {
      object: 'list',
      model,
      data: [{ object: 'embedding', index: 0, embedding: [1, 0] }],
      usage: { prompt_tokens: 1, total_tokens: 1 },
    },
  ],
  [
    '/pg/rerank',
    '/v1/rerank',
    { query: 'which?', documents: ['one', 'two'] },
    { id: 'r', results: [{ index: 1, relevance_score: 0.9 }] },
  ],
]

test.each(calls)(
  '%s is asked of the vendor and booked to the user',
  async (path, at, input, reply) => {
    const { owner, gateway, upstream } = await withVendor()
    upstream.script({ body: reply, headers: { 'content-type': 'application/json' } })
    const { status, body } = await owner.send('POST', path, { model, ...input })
    expect({ status, body }).toMatchObject({ status: 200, body: reply })
    expect(upstream.last().url).toBe(at)
    expect(upstream.last().json()).toEqual({ model, ...input })
    const { items } = gateway.parts.ledger.list({}, { page: 1, pageSize: 10 })
    expect(items).toMatchObject([{ username: 'ada', tokenId: 0, tokenName: 'playground' }])
  },
)

const sound = Buffer.from([82, 73, 70, 70, 0, 255, 128, 200, 10, 13])
const soundReply = { body: sound, headers: { 'content-type': 'audio/wav' } }
const spoken = { model, input: 'Hello', voice: 'alloy', response_format: 'wav' }

test('speech comes back byte for byte to a browser', async () => {
  const { owner, gateway, upstream } = await withVendor()
  upstream.script(soundReply)
  const answer = await fetch(`${gateway.url}/pg/audio/speech`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: owner.cookie },
    body: JSON.stringify(spoken),
  })
  expect(answer.headers.get('content-type')).toBe('audio/wav')
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(sound)
})

test('speech comes back byte for byte to the desktop’s window', async () => {
  const { gateway, upstream } = await withVendor()
  upstream.script(soundReply)
  const told = await new Promise<StreamEvent[]>((resolve) => {
    const events: StreamEvent[] = []
    createConsoleCalls(gateway.parts).stream(1, 'playground.speech', spoken, (event) => {
      events.push(event)
      if (event.type === 'end' || event.type === 'error') resolve(events)
    })
  })
  const bytes = told.flatMap((event) => (event.type === 'chunk' ? [...event.bytes] : []))
  expect(told[0]).toMatchObject({ type: 'start', headers: { 'content-type': 'audio/wav' } })
  expect(Buffer.from(bytes)).toEqual(sound)
  expect(told.at(-1)?.type).toBe('end')
})

const recording = { name: 'talk ä.mp3', type: 'audio/mpeg', data: sound.toString('base64') }

test('a recording reaches the vendor as a form, its bytes and its fields unchanged', async () => {
  const { owner, upstream } = await withVendor()
  upstream.script({ body: { text: 'Hello' }, headers: { 'content-type': 'application/json' } })
  const { status, body } = await owner.send('POST', '/pg/audio/transcriptions', {
    model,
    file: recording,
    language: 'en',
    temperature: 0.2,
    'timestamp_granularities[]': ['word', 'segment'],
  })
  expect({ status, body }).toEqual({ status: 200, body: { text: 'Hello' } })
  const { headers, body: sent } = upstream.last()
  const form = await new Response(new Uint8Array(Buffer.from(sent)), {
    headers: { 'content-type': String(headers['content-type']) },
  }).formData()
  const file = form.get('file') as File
  expect([file.name, file.type]).toEqual(['talk ä.mp3', 'audio/mpeg'])
  expect(Buffer.from(await file.arrayBuffer())).toEqual(sound)
  expect(form.get('model')).toBe(model)
  expect(form.get('language')).toBe('en')
  expect(form.get('temperature')).toBe('0.2')
  expect(form.getAll('timestamp_granularities[]')).toEqual(['word', 'segment'])
})

test.each([
  ['/pg/images/generations', {}, 'prompt'],
  ['/pg/audio/speech', { input: '' }, 'input'],
  ['/pg/embeddings', { input: [] }, 'input'],
  ['/pg/rerank', { query: 'x', documents: [] }, 'documents'],
  ['/pg/audio/transcriptions', {}, 'file'],
  ['/pg/audio/transcriptions', { file: { ...recording, data: 'no base64!' } }, 'file.data'],
  ['/pg/audio/transcriptions', { file: recording, prompt: { a: 1 } }, 'prompt'],
])('%s with %j names %s, and nobody is asked', async (path, input, field) => {
  const { owner, upstream } = await withVendor()
  const { status, body } = await owner.send('POST', path, { model, ...input })
  expect(status).toBe(400)
  expect(body).toHaveProperty('error.param', field)
  expect(upstream.requests).toHaveLength(0)
})

test('a recording over the limit is refused with its size, and none of it is kept', async () => {
  const { owner } = await withVendor()
  const data = 'A'.repeat(40 * 1024 * 1024)
  const { status, body } = await owner.send('POST', '/pg/audio/transcriptions', {
    model,
    file: { ...recording, data },
  })
  expect(status).toBe(413)
  expect(JSON.stringify(body)).toContain('40 MiB')
})

/** Temporary files that this process still holds open. */
const uploadsHeld = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((handle) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${handle}`)
      return path.includes('switchyard-upload') ? [path] : []
    } catch {
      return []
    }
  })

test.skipIf(process.platform !== 'linux')(
  'a recording too large for memory leaves no temporary file behind',
  async () => {
    const { owner, gateway, upstream } = await withVendor()
    upstream.script({ chunks: ['Hello ', 'there'], headers: { 'content-type': 'text/plain' } })
    const data = Buffer.alloc(6 * 1024 * 1024, 7).toString('base64')
    const answer = await fetch(`${gateway.url}/pg/audio/transcriptions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: owner.cookie },
      body: JSON.stringify({ model, file: { ...recording, data }, response_format: 'text' }),
    })
    expect(await answer.text()).toBe('Hello there')
    expect(upstream.last().body.length).toBeGreaterThan(6 * 1024 * 1024)
    await expect.poll(uploadsHeld).toEqual([])
  },
)

const question = [{ role: 'user', content: 'hi' }]
const lookalikes: [string, Record<string, unknown>, string][] = [
  ['/pg/chat/completions', { messages: question, Model: 'dear' }, 'Model'],
  ['/pg/chat/completions', { messages: question, Models: ['dear'] }, 'Models'],
  ['/pg/chat/completions', { messages: question, Stream: true }, 'Stream'],
  ['/pg/images/generations', { prompt: 'A lighthouse', N: 10 }, 'N'],
  ['/pg/audio/transcriptions', { file: recording, Model: 'dear' }, 'Model'],
]

test.each(lookalikes)('%s refuses what a vendor could read as another call: %j', async (...row) => {
  const [path, input, param] = row
  const { owner, upstream } = await withVendor()
  const answer = await owner.send('POST', path, { model, ...input })
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({ error: { code: 'invalid_request', param } })
  expect(upstream.requests).toEqual([])
})

test('the desktop’s window refuses it too', async () => {
  const { gateway, upstream } = await withVendor()
  const input = { model, messages: question, Model: 'dear' }
  const told = await new Promise<StreamEvent>((resolve) => {
    createConsoleCalls(gateway.parts).stream(1, 'playground.chat', input, resolve)
  })
  expect(told).toMatchObject({ type: 'error', message: expect.stringContaining('Model: ') })
  expect(upstream.requests).toEqual([])
})

test('tools with an access token are sent to the public endpoint by name', async () => {
  const { owner, visitor } = await withVendor()
  const authorization = (await owner.send('POST', '/api/user/token')).body.data
  const tool = await visitor().send('POST', '/pg/audio/speech', spoken, { authorization })
  expect(tool.status).toBe(403)
  expect(JSON.stringify(tool.body)).toContain('/v1/audio/speech')
})

test('the catalogue says what each model can do; the list of names is as it was', async () => {
  const { owner } = await startManagement()
  await owner.send('POST', '/api/channel/', echoChannel())
  const { body } = await owner.get('/pg/catalogue')
  const echo = body.data.find(({ id }: { id: string }) => id === 'echo')
  expect(echo.capabilities).toEqual(expect.arrayContaining(['chat', 'images', 'speech']))
  expect(echo).toMatchObject({ display_name: 'echo', vendor: 'Echo' })
  expect(echo.channels).toEqual([{ id: expect.any(Number), name: expect.any(String) }])
  expect((await owner.get('/pg/models')).body.data).toEqual(['echo', 'echo-mini'])
})

test('the catalogue has no output price for a model that gives no words', async () => {
  const { owner, gateway } = await startManagement()
  const models = ['text-embedding-3-small', 'gpt-4o']
  gateway.parts.channels.create({ type: 1, name: 'Vendor', models, groups: ['default'] })
  const { body } = await owner.get('/pg/catalogue')
  const prices = body.data.map(({ id, price }: { id: string; price: object }) => [id, price])
  expect(Object.fromEntries(prices)).toMatchObject({
    'text-embedding-3-small': { input: 0.02, output: null },
    'gpt-4o': { input: 2.5, output: 10 },
  })
})

const tries: [string, Record<string, unknown>][] = [
  ['/pg/images/generations', { prompt: 'A lighthouse' }],
  ['/pg/audio/speech', { input: 'Hello', voice: 'alloy', response_format: 'wav' }],
  ['/pg/audio/transcriptions', { file: recording }],
  ['/pg/embeddings', { input: ['one', 'two'] }],
  ['/pg/rerank', { query: 'one', documents: ['two', 'one'] }],
]

test.each(tries)('%s can be tried with Echo, without any vendor', async (path, input) => {
  const { owner, gateway } = await startManagement()
  await owner.send('POST', '/api/channel/', echoChannel())
  const answer = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: owner.cookie },
    body: JSON.stringify({ model: 'echo', ...input }),
  })
  expect(answer.status, await answer.text()).toBe(200)
})

test('a request that is refused leaves no capture that never ends', async () => {
  const { owner, gateway } = await withVendor()
  const twice = `{"model":"${model}","Model":"other","input":"one"}`
  const { status, headers } = await owner.send('POST', '/pg/embeddings', twice)
  expect(status).toBe(400)
  expect(gateway.parts.captures.find(headers.get('x-oneapi-request-id') ?? '')).toBeNull()
})
