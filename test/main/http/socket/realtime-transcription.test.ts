import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectSocket, refusedUpgrade } from '../../../support/clients/socket-client.ts'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type SocketUpstream,
  startSocketUpstream,
} from '../../../support/upstreams/socket-upstream.ts'

let gateway: TestGateway
let upstream: SocketUpstream

const model = 'talker'

beforeAll(async () => {
  gateway = await startTestGateway()
  upstream = await startSocketUpstream()
  gateway.addChannel({
    type: 1,
    baseUrl: upstream.url,
    models: [model],
    settings: { endpoint_types: ['realtime'] },
  })
  gateway.set({
    ModelRatio: { [model]: 1, scribe: 10, cheap: 0.5 },
    UnitPrice: { timed: { second: 0.001 } },
    PreConsumedQuota: 0,
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

async function open(key = gateway.key, query = '') {
  const count = upstream.sessions.length + 1
  const before = gateway.rows().length
  const headers = { authorization: `Bearer ${key}` }
  const path = `/v1/realtime?model=${model}${query}`
  const client = await connectSocket(gateway.url, path, { headers })
  const session = await upstream.session(count)
  const row = async () => {
    client.raw.close()
    const [one] = await gateway.rowsWhen(before + 1)
    if (!one) throw new Error('No row.')
    return { ...one, other: JSON.parse(one.other) }
  }
  return { client, session, row }
}

const today = (name: unknown) => ({ audio: { input: { transcription: { model: name } } } })
const beta = (name: unknown) => ({ input_audio_transcription: { model: name } })
const update = (session: object, type = 'session.update') => JSON.stringify({ type, session })
const transcribed = (usage: object) =>
  JSON.stringify({ type: 'conversation.item.input_audio_transcription.completed', usage })
const tokens = { type: 'tokens', input_tokens: 100, output_tokens: 20 }
const done = JSON.stringify({
  type: 'response.done',
  response: { usage: { input_tokens: 10, output_tokens: 20 } },
})
const PLACE = 'session.audio.input.transcription.model'

describe('a token with a list of models', () => {
  const limited = () =>
    gateway.addToken({ modelLimitsEnabled: true, modelLimits: [model, 'cheap'] }).full

  test.each([
    ['today’s', update(today('scribe')), PLACE],
    ['the beta’s', update(beta('scribe')), 'session.input_audio_transcription.model'],
    [
      'a transcription session’s',
      update(beta('scribe'), 'transcription_session.update'),
      'session.input_audio_transcription.model',
    ],
    [
      'both',
      update({ ...today('cheap'), ...beta('scribe') }),
      'session.input_audio_transcription.model',
    ],
  ])('may not have another model transcribe: %s words', async (_, message, param) => {
    const { client, session, row } = await open(limited())
    client.raw.send(message)
    const { error } = await client.event('error')
    expect(error).toMatchObject({ code: 'model_not_allowed', param })
    client.raw.send(update(today('cheap')))
    const heard = await session.heard(1)
    expect(heard.map(({ data }) => String(data))).toEqual([update(today('cheap'))])
    await row()
  })

  test('nor one that its session was set up with elsewhere', async () => {
    const { client, session, row } = await open(limited())
    session.socket.send(update(today('scribe'), 'session.created'))
    const { error } = await client.event('error')
    expect(error).toMatchObject({ code: 'model_not_allowed' })
    expect(await client.ended).toMatchObject({ code: 1008 })
    expect(await session.ended).toMatchObject({ code: 1008 })
    await row()
  })

  test('keeps a session that says its own model’s name at the vendor, or none', async () => {
    const { client, session, row } = await open(limited())
    client.raw.send(update(today('cheap')))
    session.socket.send(update({ audio: { input: { transcription: null } } }, 'session.created'))
    session.socket.send(update(today('cheap-2026-01-01'), 'session.updated'))
    session.socket.send(done)
    await client.heard(3)
    expect(await row()).toMatchObject({ type: 2, quota: 30 })
  })
})

test.each([
  [update({ Audio: {} }), 'session.Audio'],
  [update({ audio: { Input: {} } }), 'session.audio.Input'],
  [update({ audio: { input: { Transcription: {} } } }), 'session.audio.input.Transcription'],
  [
    update({ audio: { input: { transcription: { Model: 'x' } } } }),
    'session.audio.input.transcription.Model',
  ],
  [update({ inputAudioTranscription: {} }), 'session.inputAudioTranscription'],
  [update({ input_audio_transcription: { Model: 'x' } }), 'session.Model'],
  [update(today(['cheap'])), PLACE],
  [update({ audio: [] }), 'session.audio'],
  [
    '{"type":"session.update","session":{"audio":{"input":{"transcription":{"model":"cheap","model":"scribe"}}}}}',
    'session',
  ],
])('a model that readers could take for another is refused: %s', async (message, param) => {
  const { client, session, row } = await open()
  client.raw.send(message)
  expect((await client.event('error')).error).toMatchObject({ code: 'invalid_request', param })
  await row()
  expect(await session.heard(0)).toEqual([])
})

describe('what was transcribed is booked', () => {
  test('at the price of the model that did it, beside what the session’s own used', async () => {
    const { client, session, row } = await open()
    client.raw.send(update(today('scribe')))
    await session.heard(1)
    session.socket.send(done)
    session.socket.send(transcribed(tokens))
    session.socket.send(transcribed(tokens))
    await client.heard(3)
    expect(await row()).toMatchObject({
      promptTokens: 10,
      completionTokens: 20,
      quota: 30 + 10 * 240,
      isUnpriced: false,
      other: {
        model_ratio: 1,
        beside: [{ models: ['scribe'], quota: 2400, model_ratio: 10 }],
        transcription: { count: 2, input_tokens: 200, output_tokens: 40 },
      },
    })
  })

  test('by the second where it is sold so', async () => {
    const { client, session, row } = await open()
    client.raw.send(update(beta('timed')))
    await session.heard(1)
    session.socket.send(transcribed({ type: 'duration', seconds: 30 }))
    await client.heard(1)
    expect(await row()).toMatchObject({ quota: 15_000, other: { beside: [{ models: ['timed'] }] } })
  })

  test('by the dearest of those that the session was told to use', async () => {
    const { client, session, row } = await open()
    client.raw.send(update(today('scribe')))
    client.raw.send(update(today('cheap')))
    await session.heard(2)
    session.socket.send(transcribed(tokens))
    await client.heard(1)
    expect(await row()).toMatchObject({ quota: 1200, other: { beside: [{ quota: 1200 }] } })
  })

  test('by the model that the vendor names, where the client names none', async () => {
    const { client, session, row } = await open()
    session.socket.send(update(today('scribe'), 'session.created'))
    session.socket.send(transcribed(tokens))
    await client.heard(2)
    expect(await row()).toMatchObject({ quota: 1200, other: { beside: [{ models: ['scribe'] }] } })
  })

  test('in a session for nothing else, as the session’s own, by the model it named', async () => {
    const { client, session, row } = await open(gateway.key, '&intent=transcription')
    client.raw.send(update(beta('scribe'), 'transcription_session.update'))
    await session.heard(1)
    session.socket.send(transcribed(tokens))
    await client.heard(1)
    const { promptTokens, quota, other } = await row()
    expect({ promptTokens, quota }).toEqual({ promptTokens: 100, quota: 1200 })
    expect(other).toMatchObject({ answered_models: ['scribe'] })
    expect(other.beside).toBeUndefined()
  })

  test('and noted where it has no price', async () => {
    const { client, session, row } = await open()
    client.raw.send(update(today('nobody-sells-it')))
    await session.heard(1)
    session.socket.send(done)
    session.socket.send(transcribed(tokens))
    await client.heard(2)
    expect(await row()).toMatchObject({
      quota: 30,
      isUnpriced: true,
      other: { beside: [{ quota: null, unpriced: true }] },
    })
  })
})

describe('a token with a quota', () => {
  const poor = () => gateway.addToken({ unlimitedQuota: false, grantedQuota: 1000 }).full

  test('may not have a model transcribe that has no price', async () => {
    gateway.set({ SelfUseModeEnabled: false })
    const user = gateway.parts.users.create({ username: 'bob', role: 1, quota: 1000 })
    const { client, row } = await open(gateway.addToken({ userId: user.id }).full)
    client.raw.send(update(today('nobody-sells-it')))
    expect((await client.event('error')).error).toMatchObject({
      code: 'model_price_error',
      param: PLACE,
    })
    await row()
    gateway.set({ SelfUseModeEnabled: true })
  })

  test('is used up by what is transcribed', async () => {
    const { client, session, row } = await open(poor())
    client.raw.send(update(today('scribe')))
    await session.heard(1)
    session.socket.send(transcribed(tokens))
    expect((await client.event('error')).error).toMatchObject({ code: 'insufficient_quota' })
    expect(await client.ended).toMatchObject({ code: 1008 })
    expect(await row()).toMatchObject({ quota: 1200 })
  })

  test('counts it among its tokens a minute', async () => {
    const token = gateway.addToken({ tokensPerMinute: 100 })
    const { client, session, row } = await open(token.full)
    session.socket.send(transcribed(tokens))
    expect((await client.event('error')).error).toMatchObject({ code: 'rate_limit_exceeded' })
    await row()
  })

  test('counts it too where it is told only after the client has left', async () => {
    const token = gateway.addToken({ tokensPerMinute: 100 })
    const { client, session, row } = await open(token.full)
    client.raw.send(update(today('scribe')))
    await session.heard(1)
    session.socket.pause()
    client.raw.close()
    await client.ended
    session.socket.send(transcribed(tokens))
    session.socket.resume()
    expect(await row()).toMatchObject({ quota: 1200 })
    const { status } = await refusedUpgrade(gateway.url, `/v1/realtime?model=${model}`, {
      authorization: `Bearer ${token.full}`,
    })
    expect(status).toBe(429)
  })
})
