import { request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataLine } from '../../support/strict/answers/answer.ts'
import { type Stage, startStage } from '../../support/strict/loops/stage.ts'
import { objectsOf } from '../../support/strict/loops/through.ts'
import type { Json } from '../../support/strict/requests/refusal.ts'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.close())

const post = (path: string, body: Json | Buffer, more: RequestInit = {}) =>
  fetch(stage.gateway.url + path, {
    method: 'POST',
    ...more,
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      authorization: `Bearer ${stage.gateway.key}`,
      ...(more.headers as Record<string, string> | undefined),
    },
    body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
  })

const messages = [{ role: 'user', content: 'Hi' }]
const claudeCall = { model: 'deepseek-v4', max_tokens: 100, stream: true, messages }
const text = 'größer 长 🎉 '.repeat(40)
const chunks = [
  dataLine({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: { content: text }, finish_reason: null }],
  }),
  dataLine({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
  }),
  'data: [DONE]\n\n',
]
const textOf = (events: readonly Json[]): string =>
  events.map(({ delta }) => (delta as Json | undefined)?.text ?? '').join('')

test('pitfall 25: each client is kept awake in its own way while the vendor is silent, and not for ever', async () => {
  stage.gateway.set({ StreamKeepAliveSeconds: 1, UpstreamIdleSeconds: 3 })
  const silent = { chunks: chunks.slice(0, 1), ending: 'hang' } as const
  stage.upstreams.chat.script(silent, silent, silent)
  const answers = await Promise.all([
    post('/v1/messages', claudeCall),
    post('/v1/responses', { model: 'deepseek-v4', stream: true, store: false, input: 'Hi' }),
    post('/v1beta/models/deepseek-v4:streamGenerateContent?alt=sse', {
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
    }),
  ])
  const [anthropic, responses, google] = await Promise.all(answers.map((one) => one.text()))
  stage.gateway.set({ StreamKeepAliveSeconds: 12, UpstreamIdleSeconds: 300 })
  expect(anthropic).toContain('event: ping')
  expect(anthropic).toContain('event: error')
  expect(anthropic).not.toContain('message_stop')
  expect(responses).toContain(': keep-alive')
  expect(responses).toContain('event: response.failed')
  expect(google).toContain(': keep-alive')
  expect(google).toContain('data: {"error"')
})

describe('pitfall 28', () => {
  test('a compressed body is read before it is converted', async () => {
    const body = gzipSync(JSON.stringify(claudeCall))
    const answer = await post('/v1/messages', body, { headers: { 'content-encoding': 'gzip' } })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('message_stop')
    expect(stage.upstreams.chat.last().headers['content-encoding']).toBeUndefined()
  })

  test('a WebSocket probe for models that are converted is told at once to go on over HTTP', async () => {
    const limits = { modelLimitsEnabled: true, modelLimits: [claudeCall.model] }
    const { full: key } = stage.gateway.addToken(limits)
    const status = await new Promise<number>((resolve, reject) => {
      const probe = httpRequest(`${stage.gateway.url}/v1/responses`, {
        headers: {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
          'sec-websocket-version': '13',
          authorization: `Bearer ${key}`,
        },
      })
      probe.on('response', (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
      probe.on('upgrade', () => resolve(101))
      probe.on('error', reject)
      probe.end()
    })
    expect(status).toBe(426)
  })

  test('Codex’s list of models has its own shape', async () => {
    const answer = await fetch(`${stage.gateway.url}/v1/models?client_version=0.160.0`, {
      headers: { authorization: `Bearer ${stage.gateway.key}` },
    })
    expect(answer.status).toBe(200)
    expect((await answer.json()) as Json).toHaveProperty('models')
  })
})

test.each([1, 2, 3])(
  'pitfall 29: letters cut by a chunk and a compressed answer stay whole (%i)',
  async (cutSeed) => {
    stage.upstreams.chat.script({ chunks, cutSeed }, { chunks, cutSeed, gzip: true })
    for (const kind of ['plain', 'gzip']) {
      const answer = await post('/v1/messages', claudeCall)
      expect(answer.headers.get('content-encoding'), kind).toBeNull()
      expect(textOf(objectsOf(await answer.text()))).toBe(text)
    }
  },
)

describe('pitfall 30', () => {
  test.each(['deepseek-v4', 'gemini-3.5-pro', 'gpt-5.6-sol'])(
    'tokens are counted for Claude Code on %s, and never as none',
    async (model) => {
      const answer = await post('/v1/messages/count_tokens', { model, messages })
      expect(answer.status).toBe(200)
      const { input_tokens: count } = (await answer.json()) as Json
      expect(Number(count)).toBeGreaterThan(0)
    },
  )

  test.each(['deepseek-v4', 'claude-opus-5-5', 'gpt-5.6-sol'])(
    'tokens are counted for Gemini CLI on %s',
    async (model) => {
      const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
      const answer = await post(`/v1beta/models/${model}:countTokens`, { contents })
      expect(answer.status).toBe(200)
      const { totalTokens: count } = (await answer.json()) as Json
      expect(Number(count)).toBeGreaterThan(0)
    },
  )

  test('a client that leaves ends the vendor’s call', async () => {
    stage.upstreams.chat.script({ chunks: chunks.slice(0, 1), ending: 'hang' })
    const leaving = new AbortController()
    const answer = await post('/v1/messages', claudeCall, { signal: leaving.signal })
    await answer.body?.getReader().read()
    leaving.abort()
    expect(await stage.upstreams.chat.last().ended).toBe('gone')
  })
})
