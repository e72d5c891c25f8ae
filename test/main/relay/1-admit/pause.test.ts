import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { refusedUpgrade } from '../../../support/clients/socket-client.ts'
import { startSocketStage } from '../../../support/clients/socket-stage.ts'
import { vendorClients } from '../../../support/clients/vendor-clients.ts'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'
import type { Reply } from '../../../support/upstreams/scripted-upstream.ts'

let pair: Pair
/** Answers the calls that the vendor has kept waiting, oldest first. */
let held: ((reply?: Reply) => void)[]

const whole: Reply = {
  body: {
    id: '1',
    object: 'chat.completion',
    model: 'chat-model',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hi' } }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  },
}

beforeEach(async () => {
  held = []
  pair = await startPair({
    handler: () =>
      new Promise((resolve) => {
        held.push((reply = whole) => resolve(reply))
      }),
  })
})
afterEach(async () => {
  for (const answer of held) answer()
  await pair.close()
})

const clients = () => vendorClients(pair.gateway)
const messages = [{ role: 'user' as const, content: 'Hi' }]
const askOpenai = () => clients().openai.chat.completions.create({ model: 'chat-model', messages })
const pause = () => pair.gateway.set({ PausedSince: 1_700_000_000 })
const resume = () => pair.gateway.set({ PausedSince: 0 })
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'answered',
    (error: unknown) => error,
  )

describe('while the gateway is paused', () => {
  test('OpenAI’s client reads a 503 with the hint, and when to ask again', async () => {
    pause()
    const error = (await failureOf(askOpenai())) as { status: number; headers: Headers }
    expect(error).toMatchObject({
      name: 'Error',
      status: 503,
      code: 'gateway_paused',
      type: 'server_error',
      message: expect.stringContaining('Its owner can resume it'),
    })
    expect([error.headers.get('retry-after'), error.headers.get('x-should-retry')]).toEqual([
      '10',
      'true',
    ])
    expect(pair.upstream.requests).toHaveLength(0)
  })

  test('Anthropic’s client reads an overloaded_error with the hint', async () => {
    pause()
    const asked = clients().anthropic.messages.create({
      model: 'chat-model',
      max_tokens: 5,
      messages,
    })
    const error = (await failureOf(asked)) as { headers: Headers }
    expect(error).toMatchObject({
      status: 503,
      error: {
        error: {
          type: 'overloaded_error',
          message: expect.stringContaining('Switchyard is paused'),
        },
      },
    })
    expect(error.headers.get('retry-after')).toBe('10')
  })

  test('Google’s client reads UNAVAILABLE with the hint and a retry delay', async () => {
    pause()
    const asked = clients().google.models.generateContent({ model: 'chat-model', contents: 'Hi' })
    const error = (await failureOf(asked)) as { status: number; message: string }
    expect(error.status).toBe(503)
    expect(JSON.parse(error.message)).toMatchObject({
      error: {
        code: 503,
        status: 'UNAVAILABLE',
        message: expect.stringContaining('Switchyard is paused'),
        details: [{ retryDelay: '10s' }],
      },
    })
  })

  test('a stream is refused before it begins, and each refusal is in Calls', async () => {
    pause()
    const stream = { model: 'chat-model', messages, stream: true as const }
    expect(await failureOf(clients().openai.chat.completions.create(stream))).toMatchObject({
      status: 503,
    })
    const [row] = await pair.gateway.rowsWhen(1)
    expect(row).toMatchObject({ type: 5, status: 503, quota: 0 })
    expect(JSON.parse(row?.other ?? '')).toMatchObject({ error_code: 'gateway_paused' })
  })

  test('a stranger learns nothing of it', async () => {
    pause()
    const { openai } = vendorClients({ url: pair.gateway.url, key: 'sk-nobody' })
    const asked = openai.chat.completions.create({ model: 'chat-model', messages })
    expect(await failureOf(asked)).toMatchObject({ status: 401 })
  })

  test('a call under way goes on to its end', async () => {
    const asked = askOpenai()
    await expect.poll(() => held.length).toBe(1)
    pause()
    held[0]?.()
    expect((await asked).choices[0]?.message.content).toBe('Hi')
  })

  test('models are still listed', async () => {
    pause()
    const listed = await clients().openai.models.list()
    expect(listed.data.map(({ id }) => id)).toContain('chat-model')
  })
})

test('calls are taken again once it is resumed', async () => {
  pause()
  expect(await failureOf(askOpenai())).toMatchObject({ status: 503 })
  resume()
  const asked = askOpenai()
  await expect.poll(() => held.length).toBe(1)
  held[0]?.()
  expect((await asked).id).toBe('1')
})

describe('WebSockets of a paused gateway', () => {
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

  test.each(['/v1/realtime?model=gpt', '/v1/responses'])(
    '%s is refused before its upgrade, in plain HTTP',
    async (path) => {
      const { gateway, upstream } = await startSocketStage()
      gateway.addChannel({
        baseUrl: upstream.url,
        models: ['gpt'],
        settings: { endpoint_types: ['openai-response', 'realtime'] },
      })
      gateway.set({ PausedSince: 1 })
      const refused = await refusedUpgrade(gateway.url, path, bearer(gateway.key))
      expect(refused).toMatchObject({ status: 503, json: { error: { code: 'gateway_paused' } } })
      expect(refused.headers['retry-after']).toBe('10')
      expect(upstream.upgrades).toHaveLength(0)
    },
  )

  test('an open connection of Responses stays open and refuses what it is asked anew', async () => {
    const { gateway, upstream, connect } = await startSocketStage()
    gateway.addChannel({
      baseUrl: upstream.url,
      models: ['gpt'],
      settings: { endpoint_types: ['openai-response'] },
    })
    const { client, say } = await connect()
    gateway.set({ PausedSince: 1 })
    say()
    expect(await client.event('error')).toMatchObject({
      status: 503,
      error: { code: 'gateway_paused' },
    })
    expect(client.raw.readyState).toBe(client.raw.OPEN)
    client.raw.close()
  })
})
