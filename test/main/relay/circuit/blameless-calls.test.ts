import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type Reply,
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'

let gateway: TestGateway
let upstream: ScriptedUpstream
/** The vendor's answer to the malformed call. */
let reply: Reply

const good = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP' }],
}

beforeAll(async () => {
  upstream = await startUpstream(() => reply)
  gateway = await startTestGateway()
  gateway.set({ ChannelFailureCount: 2, AutomaticDisableChannelEnabled: true })
  const settings = { endpoint_types: ['openai', 'openai-response'] }
  gateway.addChannel({ baseUrl: upstream.url, settings })
  gateway.addChannel({ type: 24, baseUrl: upstream.url, models: ['gemini'] })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const post = (path: string, body: object) =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const chat = { model: 'model-a', messages: [{ role: 'user', content: 'hi' }] }
const gemini = { contents: [{ parts: [{ text: 'hi' }] }], cachedContent: 'cachedContents/none' }
const error = (status: number, message: string, more = {}): Reply => ({
  status,
  body: { error: { message, ...more } },
})

test.each<[string, string, object, Reply]>([
  [
    'a stream that nobody asked for',
    '/v1/chat/completions',
    chat,
    { chunks: ['data: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n', 'data: [DONE]\n\n'] },
  ],
  [
    'an id that reads like a sentence about a model',
    '/v1/responses',
    { model: 'model-a', input: 'hi', previous_response_id: 'resp_ model ' },
    error(404, "Previous response with id 'resp_ model ' not found."),
  ],
  [
    'a cache of another account',
    '/v1beta/models/gemini:generateContent',
    gemini,
    error(403, 'CachedContent not found (or permission denied)', {
      code: 403,
      status: 'PERMISSION_DENIED',
    }),
  ],
  ['a picture that is none', '/v1/chat/completions', chat, error(400, 'Invalid image.')],
  ['what is too large', '/v1/chat/completions', chat, error(413, 'Request too large.')],
  ['a tool’s schema that is wrong', '/v1/chat/completions', chat, error(422, 'Invalid schema.')],
])('%s, time after time, keeps nobody else from the channel', async (_, path, body, refused) => {
  reply = refused
  for (let times = 0; times < 4; times++) expect((await post(path, body)).status).not.toBe(200)
  for (const { id } of gateway.parts.channels.all()) {
    expect(gateway.parts.channels.byId(id)?.status).toBe(1)
    expect(gateway.parts.health.circuits(id)).toEqual([])
  }
  reply = { body: { ...good, choices: [], output: [] } }
  expect((await post(path, body)).status).toBe(200)
})
