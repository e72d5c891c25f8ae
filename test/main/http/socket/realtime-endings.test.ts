import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { connectSocket } from '../../../support/clients/socket-client.ts'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type SocketUpstream,
  startSocketUpstream,
} from '../../../support/upstreams/socket-upstream.ts'

let gateway: TestGateway
let upstream: SocketUpstream

const model = 'gpt-realtime'
const LIMIT = 16 * 1024 * 1024
const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time))

/** From now on the clock is ahead by this many milliseconds. */
function passTime(time: number): void {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + time)
}

async function open(key = gateway.key) {
  const count = upstream.sessions.length + 1
  const before = gateway.rows().length
  const headers = { authorization: `Bearer ${key}` }
  const client = await connectSocket(gateway.url, `/v1/realtime?model=${model}`, { headers })
  const session = await upstream.session(count)
  const row = async () => {
    const rows = await gateway.rowsWhen(before + 1)
    const one = rows[0]
    if (!one || rows.length !== before + 1) throw new Error(`${rows.length - before} rows.`)
    return { ...one, other: JSON.parse(one.other) }
  }
  return { client, session, row }
}

const done = (input: number, output: number, status = 'completed') =>
  JSON.stringify({
    type: 'response.done',
    response: {
      status,
      usage: {
        input_tokens: input,
        output_tokens: output,
        input_token_details: { audio_tokens: 3, cached_tokens: 2, image_tokens: 1 },
        output_token_details: { audio_tokens: 4 },
      },
    },
  })
const transcribed = (usage: object) =>
  JSON.stringify({ type: 'conversation.item.input_audio_transcription.completed', usage })

beforeAll(async () => {
  gateway = await startTestGateway()
  upstream = await startSocketUpstream()
  gateway.addChannel({
    type: 1,
    baseUrl: upstream.url,
    models: [model],
    settings: { endpoint_types: ['realtime'] },
  })
  gateway.set({ ModelRatio: { [model]: 1 }, PreConsumedQuota: 0 })
})
afterEach(() => void vi.restoreAllMocks())
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

describe('how the upstream ends is how the client hears it', () => {
  test.each([
    [1000, 'bye', 1000, 'bye', ''],
    [1001, 'moving', 1001, 'moving', ''],
    [1002, 'protocol', 1002, 'protocol', 'ended the session (1002): protocol'],
    [1008, 'policy', 1008, 'policy', 'ended the session (1008): policy'],
    [3000, 'own', 3000, 'own', 'ended the session (3000): own'],
    [undefined, '', 1000, '', ''],
  ])('%s %s', async (code, reason, seen, words, failure) => {
    const { client, session, row } = await open()
    session.socket.close(code, reason)
    expect(await client.ended).toEqual({ code: seen, reason: words })
    expect((await row()).content).toContain(failure)
  })

  test('a connection that breaks is 1011, never a good end', async () => {
    const { client, session, row } = await open()
    session.socket.terminate()
    expect(await client.ended).toEqual({
      code: 1011,
      reason: 'The upstream broke the connection off.',
    })
    expect(await row()).toMatchObject({ type: 5, other: { error_code: 'upstream_cut' } })
  })

  test('a reason is cut between two characters', async () => {
    const token = gateway.addToken({ name: 'ü'.repeat(100) })
    const { client, session, row } = await open(token.full)
    gateway.parts.tokens.update(token.id, { status: 2 })
    session.socket.send(done(1, 1))
    const { code, reason } = await client.ended
    expect(code).toBe(1008)
    expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123)
    expect(reason).not.toContain('\ufffd')
    await row()
  })
})

describe('how the client ends', () => {
  test('a client that is cut off leaves no upstream behind', async () => {
    const { client, session, row } = await open()
    client.raw.terminate()
    expect(await session.ended).toMatchObject({ code: 1011 })
    await row()
  })

  test('usage that is reported while both say goodbye is counted', async () => {
    const { client, session, row } = await open()
    session.socket.on('message', () => {
      session.socket.send(done(10, 20, 'cancelled'))
    })
    client.raw.send('{"type":"response.create"}')
    client.raw.close(1000)
    await session.ended
    expect(await row()).toMatchObject({ promptTokens: 10, completionTokens: 20 })
  })

  const begun = '{"type":"response.created","response":{"id":"resp_1"}}'
  const cancel = '{"type":"response.cancel","response_id":"resp_1"}'

  test.each([
    ['says goodbye', 1000],
    ['is cut off', 1011],
  ])(
    'a response that the client has heard is booked where it %s before its end',
    async (_, code) => {
      const { client, session, row } = await open()
      session.socket.send(begun)
      await client.heard(1)
      if (code === 1000) client.raw.close(code)
      else client.raw.terminate()
      expect(String((await session.heard(1))[0]?.data)).toBe(cancel)
      session.socket.send(done(10, 20, 'cancelled'))
      expect(await session.ended).toMatchObject({ code })
      expect(await row()).toMatchObject({ promptTokens: 10, completionTokens: 20 })
    },
  )

  test('an upstream that never tells the usage of a response is left in the end', async () => {
    const { client, session, row } = await open()
    session.socket.send(begun)
    await client.heard(1)
    client.raw.close(1000)
    await session.heard(1)
    passTime(11_000)
    expect(await session.ended).toMatchObject({ code: 1000 })
    expect(await row()).toMatchObject({ promptTokens: 0, completionTokens: 0 })
  })
})

describe('messages', () => {
  test('of all sizes and both kinds come whole and in order, both ways', async () => {
    const { client, session, row } = await open()
    const sizes = [0, 1, 125, 126, 65_535, 65_536, 3_000_000, 15 * 1024 * 1024, 2]
    const all = sizes.map((size, index) => ({
      data: Buffer.alloc(size, 65 + index),
      isBinary: index % 2 === 1,
    }))
    for (const { data, isBinary } of all) {
      client.raw.send(data, { binary: isBinary })
      session.socket.send(data, { binary: isBinary })
    }
    const heard = await session.heard(sizes.length)
    while (client.frames.length < sizes.length) await pause(5)
    for (const [index, { data, isBinary }] of all.entries()) {
      for (const side of [heard, client.frames]) {
        expect(side[index]?.isBinary).toBe(isBinary)
        expect(side[index]?.data.equals(data)).toBe(true)
      }
    }
    client.raw.close()
    await row()
  })

  test('over the limit are refused with 1009 and the limit', async () => {
    const { client, session, row } = await open()
    client.raw.send(Buffer.alloc(LIMIT + 1))
    expect(await client.ended).toEqual({ code: 1009, reason: 'A message may have at most 16 MiB.' })
    expect((await session.ended).code).toBe(1009)
    await row()
  })

  test('over the limit of the upstream are its fault, not the client’s', async () => {
    const { client, session, row } = await open()
    session.socket.send(Buffer.alloc(LIMIT + 1))
    expect(await client.ended).toMatchObject({ code: 1011 })
    expect((await session.ended).code).toBe(1009)
    expect((await row()).content).toContain('at most 16 MiB')
  })
})

describe('the row of a session', () => {
  test('adds up every response, and keeps transcriptions apart', async () => {
    const { client, session, row } = await open()
    session.socket.send(done(10, 20))
    session.socket.send('{"type":"response.output_text.delta","delta":"\\"response.done\\""}')
    session.socket.send(done(100, 200, 'cancelled'))
    session.socket.send(transcribed({ type: 'duration', seconds: 1.5 }))
    session.socket.send(
      transcribed({
        type: 'tokens',
        input_tokens: 7,
        output_tokens: 5,
        input_token_details: { audio_tokens: 6 },
      }),
    )
    await client.heard(5)
    client.raw.close()
    expect(await row()).toMatchObject({
      promptTokens: 110,
      completionTokens: 220,
      // Nobody names the model that transcribes: it is charged as the session's own.
      quota: 342,
      other: {
        responses: 2,
        cache_tokens: 4,
        audio_input: 6,
        image_input: 2,
        audio_output: 8,
        transcription: {
          count: 2,
          input_tokens: 7,
          input_audio_tokens: 6,
          output_tokens: 5,
          seconds: 1.5,
        },
      },
    })
  })

  test('of a session that only transcribes has the transcription as its own', async () => {
    const { client, session, row } = await open()
    session.socket.send('{"type":"session.updated","session":{"type":"transcription"}}')
    session.socket.send(transcribed({ type: 'tokens', input_tokens: 7, output_tokens: 5 }))
    await client.heard(2)
    client.raw.close()
    const { promptTokens, completionTokens, other } = await row()
    expect([promptTokens, completionTokens, other.transcription]).toEqual([7, 5, undefined])
  })
})

describe('a session that may not go on', () => {
  test('because the token’s quota is used up: an error event, then 1008 on both sides', async () => {
    const token = gateway.addToken({ unlimitedQuota: false, grantedQuota: 100 })
    const { client, session, row } = await open(token.full)
    session.socket.send(done(30, 30))
    await client.heard(1)
    session.socket.send(done(30, 30))
    const error = await client.event('error')
    expect(error).toMatchObject({
      event_id: expect.stringMatching(/^event_/),
      error: { type: 'insufficient_quota', code: 'insufficient_quota' },
    })
    expect(await client.ended).toMatchObject({ code: 1008 })
    expect(await session.ended).toMatchObject({ code: 1008 })
    expect(client.frames).toHaveLength(3)
    expect(await row()).toMatchObject({ quota: 120, other: { error_code: 'token_exhausted' } })
  })

  test('because its user’s balance is used up, and not before', async () => {
    const user = gateway.parts.users.create({ username: 'bob', role: 1, quota: 100 })
    const { client, session, row } = await open(gateway.addToken({ userId: user.id }).full)
    session.socket.send(done(30, 30))
    session.socket.send(done(20, 10))
    session.socket.send(done(5, 5))
    expect(await client.event('error')).toMatchObject({ error: { code: 'insufficient_quota' } })
    expect(await client.ended).toMatchObject({ code: 1008 })
    expect(await row()).toMatchObject({ quota: 100 })
  })

  test('because its token was disabled, though nobody says a word', async () => {
    const token = gateway.addToken()
    const { client, row } = await open(token.full)
    passTime(11_000)
    gateway.parts.tokens.update(token.id, { status: 2 })
    expect(await client.event('error')).toMatchObject({ error: { code: 'token_disabled' } })
    expect(await client.ended).toMatchObject({ code: 1008 })
    await row()
  })

  test('because it is an hour old', async () => {
    const { client, session, row } = await open()
    passTime(60 * 60_000 + 1)
    expect(await client.event('error')).toMatchObject({ error: { code: 'session_expired' } })
    expect(await client.ended).toMatchObject({ code: 1001 })
    expect(await session.ended).toMatchObject({ code: 1001 })
    expect((await row()).content).toBe('')
  })
})
