import { connect } from 'node:net'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import type { RealtimeClientEvent, RealtimeServerEvent } from 'openai/resources/realtime/realtime'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../support/gateway/start-test-gateway.ts'

let gateway: TestGateway
let client: OpenAI

beforeAll(async () => {
  gateway = await startTestGateway()
  gateway.addChannel({
    type: 900,
    name: 'Echo',
    key: '',
    models: ['echo', 'alias'],
    modelMapping: { alias: 'echo' },
  })
  client = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
})
afterAll(() => gateway.close())

/** The SDK asks for TLS wherever its base URL points, so that its connection is made for it. */
function openRealtime(model = 'echo', key = gateway.key) {
  const own = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1` })
  const events: RealtimeServerEvent[] = []
  const options = { createConnection: () => connect(gateway.port, '127.0.0.1') }
  const session = new OpenAIRealtimeWS({ model, options: options as object }, own)
  session.on('event', (event) => events.push(event))
  const errors: Error[] = []
  session.on('error', (error) => errors.push(error))
  const ended = new Promise<number>((resolve) => session.socket.on('close', resolve))
  return {
    session,
    events,
    errors,
    ended,
    async say(...said: RealtimeClientEvent[]) {
      while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      for (const event of said) session.send(event)
    },
    async heard<Type extends RealtimeServerEvent['type']>(type: Type, count = 1) {
      type Event = Extract<RealtimeServerEvent, { type: Type }>
      const found = () => events.filter((event): event is Event => event.type === type)
      for (let tries = 0; tries < 1000 && found().length < count; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      return found()[count - 1] as Event
    },
  }
}

const userText = (text: string): RealtimeClientEvent => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
})

describe('the SDK’s realtime client on Echo', () => {
  test('talks in text, and the row has what the responses used', async () => {
    const { session, say, heard, events, errors, ended } = openRealtime('alias')
    expect((await heard('session.created')).session).toMatchObject({ model: 'echo' })
    await say(
      { type: 'session.update', session: { type: 'realtime', output_modalities: ['text'] } },
      userText('Hello there'),
      { type: 'response.create' },
      userText('Bye'),
      { type: 'response.create' },
    )
    const first = await heard('response.done')
    const second = await heard('response.done', 2)
    const texts = events.flatMap((event) =>
      event.type === 'response.output_text.done' ? [event.text] : [],
    )
    expect(texts).toEqual(['Echo: Hello there', 'Echo: Bye'])
    expect((await heard('session.updated')).session).toMatchObject({ output_modalities: ['text'] })
    expect(errors).toEqual([])
    session.close()
    expect(await ended).toBe(1000)
    const [row] = await gateway.rowsWhen(1)
    const used = [first, second].map(({ response }) => response.usage)
    const sum = (read: (usage: (typeof used)[0]) => number | undefined) =>
      used.reduce((total, usage) => total + (read(usage) ?? 0), 0)
    expect(row).toMatchObject({
      model: 'alias',
      promptTokens: sum((usage) => usage?.input_tokens),
      completionTokens: sum((usage) => usage?.output_tokens),
    })
    expect(JSON.parse(row?.other ?? '')).toMatchObject({
      responses: 2,
      upstream_model_name: 'echo',
    })
  })

  test('speaks, hears, transcribes and calls a tool', async () => {
    const { session, say, heard, events, errors } = openRealtime()
    const sound = Buffer.alloc(48_000).toString('base64')
    await say(
      {
        type: 'session.update',
        session: {
          type: 'realtime',
          audio: { input: { transcription: { model: 'whisper-1' } } },
          tools: [
            { type: 'function', name: 'get_time', parameters: { type: 'object', properties: {} } },
          ],
        },
      },
      { type: 'input_audio_buffer.append', audio: sound },
      { type: 'input_audio_buffer.commit' },
      { type: 'response.create' },
    )
    const transcribed = await heard('conversation.item.input_audio_transcription.completed')
    expect(transcribed.usage).toEqual({ type: 'duration', seconds: 1 })
    const done = await heard('response.done')
    expect(done.response.usage).toMatchObject({
      input_token_details: { audio_tokens: 10 },
      output_token_details: { audio_tokens: expect.any(Number) },
    })
    const pieces = events.flatMap((event) =>
      event.type === 'response.output_audio.delta' ? [Buffer.from(event.delta, 'base64')] : [],
    )
    expect(Buffer.concat(pieces).length).toBeGreaterThan(10_000)
    await say(userText('Please call get_time'), { type: 'response.create' })
    expect(await heard('response.function_call_arguments.done')).toMatchObject({
      name: 'get_time',
      arguments: '{}',
    })
    await heard('response.done', 2)
    expect(errors).toEqual([])
    session.close()
  })

  test('cancels a response, which is still counted', async () => {
    const token = gateway.addToken()
    const { session, say, heard, ended } = openRealtime('echo', token.full)
    await say(userText('word '.repeat(200)), { type: 'response.create' })
    await heard('response.output_audio_transcript.delta')
    await say({ type: 'response.cancel' })
    const { response } = await heard('response.done')
    expect(response.status).toBe('cancelled')
    await say({ type: 'response.cancel' })
    expect(await heard('error')).toMatchObject({ error: { code: 'response_cancel_not_active' } })
    session.close()
    await ended
    const own = () => gateway.rows().find(({ tokenId }) => tokenId === token.id)
    while (!own()) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(own()?.completionTokens).toBe(response.usage?.output_tokens)
  })

  test.each([
    [{ type: 'input_audio_buffer.commit' }, 'input_audio_buffer_commit_empty'],
    [{ type: 'conversation.item.delete', item_id: 'none' }, 'invalid_value'],
    [{ type: 'no.such.event', event_id: 'mine' }, 'invalid_value'],
  ])('is told what is wrong with %o', async (event, code) => {
    const { session, say, heard } = openRealtime()
    await heard('session.created')
    await say(event as RealtimeClientEvent)
    expect(await heard('error')).toMatchObject({
      error: { code, event_id: 'event_id' in event ? event.event_id : null },
    })
    session.close()
  })

  test('sees a refused upgrade as an error', async () => {
    const { errors, ended } = openRealtime('echo', 'sk-wrong')
    await ended
    expect(errors[0]?.message).toContain('401')
  })
})

describe('the SDK’s Responses over a WebSocket on Echo', () => {
  test('streams one response after another, and goes on from the one before', async () => {
    const before = gateway.rows().length
    const socket = new ResponsesWS(client)
    const errors: { error?: unknown }[] = []
    socket.on('error', (error) => errors.push(error))
    const next = () =>
      new Promise<OpenAI.Responses.Response>((resolve) => {
        socket.once('response.completed', ({ response }) => resolve(response))
      })
    let text = ''
    socket.on('response.output_text.delta', ({ delta }) => {
      text += delta
    })
    socket.send({ type: 'response.create', model: 'alias', input: 'Hello' })
    const first = await next()
    expect(text).toBe('Echo: Hello')
    expect(first.model).toBe('alias')
    socket.send({
      type: 'response.create',
      model: 'alias',
      previous_response_id: first.id,
      input: [{ role: 'user', content: 'Again' }],
    })
    expect((await next()).output_text ?? text).toContain('Again')
    expect(errors).toEqual([])
    socket.send({
      type: 'response.create',
      model: 'echo',
      previous_response_id: 'gone',
      input: 'x',
    })
    while (errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(JSON.stringify(errors[0]?.error)).toContain('previous_response_not_found')
    socket.close()
    const rows = await gateway.rowsWhen(before + 3)
    expect(rows.slice(0, 3).map(({ model, status }) => [model, status])).toEqual([
      ['echo', 400],
      ['alias', 200],
      ['alias', 200],
    ])
    expect(rows[2]?.completionTokens).toBe(first.usage?.output_tokens)
  })
})
