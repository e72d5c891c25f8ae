import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerCodec } from '../../../main/convert/codecs.ts'
import { startTestGateway, type TestGateway } from '../../support/gateway/start-test-gateway.ts'
import { tinyCodec } from '../../support/tiny-format/tiny-codec.ts'
import { type ScriptedUpstream, startUpstream } from '../../support/upstreams/scripted-upstream.ts'

registerCodec(tinyCodec)

let gateway: TestGateway
let upstream: ScriptedUpstream

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startTestGateway()
  gateway.addChannel({
    name: 'tiny',
    type: 8,
    baseUrl: `${upstream.url}/v1/tiny`,
    models: ['small'],
  })
  gateway.addChannel({ name: 'chat', type: 1, baseUrl: upstream.url, models: ['large'] })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const post = (path: string, body: object) =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const say = [{ by: 'user', text: 'Hi.' }]
const tinyAnswer = { model: 'small', text: 'Hello.', used: { in: 3, out: 2 } }
const chatAnswer = {
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'large',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
}
const eventsOf = (...events: object[]) => events.map((one) => `data: ${JSON.stringify(one)}\n\n`)
const newest = () => gateway.rows()[0]

test('a call passes through to a channel that speaks the format', async () => {
  upstream.script({ body: tinyAnswer })
  const response = await post('/v1/tiny', { model: 'small', say })
  expect(await response.json()).toEqual(tinyAnswer)
  expect(upstream.last()).toMatchObject({ url: '/v1/tiny' })
  expect(upstream.last().json()).toEqual({ model: 'small', say })
  await gateway.rowsWhen(1)
  expect(newest()).toMatchObject({ promptTokens: 3, completionTokens: 2 })
})

test('its stream passes through', async () => {
  const events = eventsOf(
    { model: 'small', text: 'Hel' },
    { text: 'lo.' },
    { used: { in: 3, out: 2 } },
  )
  upstream.script({ chunks: events })
  const response = await post('/v1/tiny', { model: 'small', say, stream: true })
  expect(await response.text()).toBe(events.join(''))
})

test('a call of it is converted to chat, and the answer back', async () => {
  upstream.script({ body: chatAnswer })
  const response = await post('/v1/tiny', { model: 'large', say, most: 9 })
  expect(await response.json()).toEqual({ model: 'large', text: 'Hello.', used: { in: 5, out: 2 } })
  expect(response.headers.get('x-tiny-id')).not.toBeNull()
  expect(upstream.last().url).toBe('/v1/chat/completions')
  expect(upstream.last().json()).toMatchObject({ messages: [{ role: 'user', content: 'Hi.' }] })
})

test('a call of chat is converted to it, whole and as a stream', async () => {
  const messages = [{ role: 'user', content: 'Hi.' }]
  upstream.script({ body: tinyAnswer })
  const response = await post('/v1/chat/completions', { model: 'small', messages })
  expect(await response.json()).toMatchObject({
    choices: [{ message: { content: 'Hello.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 2 },
  })
  expect(upstream.last().json()).toEqual({ model: 'small', say })
  upstream.script({ chunks: eventsOf({ text: 'Hello.' }, { used: { in: 3, out: 2 } }) })
  const stream = await post('/v1/chat/completions', { model: 'small', messages, stream: true })
  expect(await stream.text()).toMatch(/"content":"Hello\.".*data: \[DONE\]/s)
})

test('a refusal comes in its own shape', async () => {
  const bad = await post('/v1/tiny', { model: 'small' })
  expect([bad.status, await bad.json()]).toEqual([400, { wrong: expect.stringContaining('say') }])
  upstream.script({ status: 503, body: { error: { message: 'Busy.' } } })
  gateway.set({ RetryTimes: 0 })
  const busy = await post('/v1/tiny', { model: 'large', say })
  expect([busy.status, await busy.json()]).toEqual([
    518,
    { wrong: expect.stringContaining('Busy') },
  ])
})
