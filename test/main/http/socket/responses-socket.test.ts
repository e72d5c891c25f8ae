import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { connectSocket, refusedUpgrade } from '../../../support/clients/socket-client.ts'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type SocketUpstream,
  startSocketUpstream,
} from '../../../support/upstreams/socket-upstream.ts'

let gateway: TestGateway
let upstream: SocketUpstream
let other: SocketUpstream

const path = '/v1/responses'
const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })
const create = (model: string, fields: object = {}) => ({
  type: 'response.create',
  model,
  input: 'hi',
  ...fields,
})
const usage = { input_tokens: 10, output_tokens: 5, input_tokens_details: { cached_tokens: 4 } }
const event = (type: string, id: string, fields: object = {}, lane?: string) =>
  JSON.stringify({
    type: `response.${type}`,
    response: { id, model: 'vendor-gpt', ...fields },
    ...(lane === undefined ? {} : { stream_id: lane }),
  })

/** A connection with a token of its own, whose rows are told apart by it. */
async function open(fields: Parameters<TestGateway['addToken']>[0] = {}) {
  const token = gateway.addToken(fields)
  const client = await connectSocket(gateway.url, path, bearer(token.full))
  const rows = async (count: number) => {
    const own = () => gateway.rows().filter(({ tokenId }) => tokenId === token.id)
    while (own().length < count) await new Promise((resolve) => setTimeout(resolve, 5))
    return own().map((row) => ({ ...row, other: JSON.parse(row.other) }))
  }
  return { client, token, rows }
}

beforeAll(async () => {
  gateway = await startTestGateway()
  upstream = await startSocketUpstream()
  other = await startSocketUpstream()
  const settings = { endpoint_types: ['openai-response'] }
  gateway.addChannel({
    name: 'native',
    baseUrl: upstream.url,
    models: ['gpt', 'mapped'],
    modelMapping: { mapped: 'vendor-gpt' },
    settings,
  })
  gateway.addChannel({ name: 'other', baseUrl: other.url, models: ['elsewhere'], settings })
  gateway.addChannel({ type: 14, name: 'claude', baseUrl: other.url, models: ['claude'] })
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([upstream.close(), other.close()])
})

describe('a connection', () => {
  test('relays a response untouched and books it before its last event', async () => {
    const { client, token, rows } = await open()
    const sent = JSON.stringify(create('gpt', { temperature: 1.0, unknown: { a: [1.5e3] } }))
    client.raw.send(sent)
    const session = await upstream.session()
    expect(session.url).toBe('/v1/responses')
    expect(session.headers.authorization).toBe('Bearer vendor-key')
    const [frame] = await session.heard(1)
    expect(String(frame?.data)).toBe(sent)
    const answer = [
      event('created', 'r1'),
      '{"type": "response.output_text.delta",  "delta":"\\"response.completed\\""}',
      event('completed', 'r1', { usage }),
    ]
    let bookedThen = -1
    client.raw.on('message', (data) => {
      if (JSON.parse(String(data)).type !== 'response.completed') return
      bookedThen = gateway.rows().filter(({ tokenId }) => tokenId === token.id).length
    })
    for (const one of answer) session.socket.send(one)
    await client.event('response.completed')
    expect(bookedThen).toBe(1)
    const [row] = await rows(1)
    expect(client.frames.map(({ data }) => String(data))).toEqual(answer)
    expect(row).toMatchObject({
      model: 'gpt',
      promptTokens: 10,
      completionTokens: 5,
      channelName: 'native',
      other: { cache_tokens: 4, wire_format: 'responses' },
    })
    client.raw.close()
    await session.ended
  })

  test('maps the model there and back, and changes nothing else', async () => {
    const { client, rows } = await open()
    client.raw.send('{ "type":"response.create", "model" : "mapped","input":"ö",  "n":1.0 }')
    const session = await upstream.session(2)
    const [frame] = await session.heard(1)
    expect(String(frame?.data)).toBe(
      '{ "type":"response.create", "model" : "vendor-gpt","input":"ö",  "n":1.0 }',
    )
    session.socket.send(event('created', 'r1'))
    session.socket.send('{"type":"response.output_item.done","model":"vendor-gpt"}')
    session.socket.send(event('incomplete', 'r1', { usage }))
    await client.heard(3)
    expect(client.frames.map(({ data }) => String(data))).toEqual([
      event('created', 'r1').replace('vendor-gpt', 'mapped'),
      '{"type":"response.output_item.done","model":"vendor-gpt"}',
      event('incomplete', 'r1', { usage }).replace('vendor-gpt', 'mapped'),
    ])
    expect((await rows(1))[0]).toMatchObject({
      model: 'mapped',
      other: { upstream_model_name: 'vendor-gpt' },
    })
    client.raw.close()
    await session.ended
  })

  test('serves several lanes at once, one row each, with each its own usage', async () => {
    const { client, rows } = await open()
    client.say(create('gpt', { stream_id: 'a' }))
    client.say(create('gpt', { stream_id: 'b' }))
    client.say(create('gpt', { stream_id: 'a' }))
    const session = await upstream.session(3)
    await session.heard(3)
    const used = (input_tokens: number) => ({ usage: { input_tokens, output_tokens: 1 } })
    session.socket.send(event('created', 'rb', {}, 'b'))
    session.socket.send(event('created', 'ra', {}, 'a'))
    session.socket.send(event('completed', 'rb', used(2), 'b'))
    session.socket.send(event('completed', 'ra', used(1), 'a'))
    session.socket.send(event('failed', 'rc', { error: { code: 'oops', message: 'No.' } }, 'a'))
    await client.heard(5)
    const own = await rows(3)
    expect(own.map(({ promptTokens }) => promptTokens).sort()).toEqual([0, 1, 2])
    expect(own.filter(({ type }) => type === 5)).toMatchObject([{ content: 'No.' }])
    client.raw.close()
    await session.ended
  })

  test('passes the vendor’s refusal on, books it, and stays good', async () => {
    const { client, rows } = await open()
    client.say(create('gpt', { previous_response_id: 'gone' }))
    const session = await upstream.session(4)
    await session.heard(1)
    const error = { code: 'previous_response_not_found', message: 'Not found.', type: 't' }
    session.socket.send(JSON.stringify({ type: 'error', status: 400, error }))
    expect(await client.event('error')).toEqual({ type: 'error', status: 400, error })
    expect((await rows(1))[0]).toMatchObject({ type: 5, status: 400, content: 'Not found.' })
    client.say(create('gpt'))
    await session.heard(2)
    client.raw.close()
    await session.ended
    expect((await rows(2))[0]).toMatchObject({ status: 499, other: { cancelled: true } })
  })

  test('goes to another upstream for a model of another channel', async () => {
    const { client } = await open()
    client.say(create('gpt'))
    const first = await upstream.session(5)
    await first.heard(1)
    client.say(create('elsewhere'))
    expect(await client.event('error')).toMatchObject({
      error: { code: 'websocket_connection_limit_reached' },
    })
    first.socket.send(event('completed', 'r1', { usage }))
    await client.event('response.completed')
    client.say(create('elsewhere'))
    const second = await other.session(1)
    await second.heard(1)
    expect((await first.ended).code).toBe(1000)
    second.socket.send(event('completed', 'r2', { usage }))
    expect(await client.heard(3)).toMatchObject([{}, {}, { response: { id: 'r2' } }])
    client.raw.close()
    await second.ended
  })

  test('that the upstream cuts ends what was under way with an error', async () => {
    const { client, rows } = await open()
    client.say(create('gpt'))
    const session = await upstream.session(6)
    await session.heard(1)
    session.socket.terminate()
    expect(await client.event('error')).toMatchObject({ status: 502 })
    expect(await client.ended).toMatchObject({ code: 1011 })
    expect((await rows(1))[0]).toMatchObject({ other: { error_code: 'upstream_cut' } })
  })
})

describe('what is refused in a message', () => {
  test.each([
    ['an unknown model', create('nobody'), 404, 'model_not_found'],
    ['no model', { type: 'response.create', input: 'hi' }, 400, 'invalid_request'],
    ['something else first', { type: 'response.cancel' }, 400, 'invalid_request'],
  ])('%s', async (_name, message, status, code) => {
    const { client } = await open()
    client.say(message)
    expect(await client.event('error')).toMatchObject({ status, error: { code }, code })
    client.raw.close()
  })

  test('no JSON, and binary', async () => {
    const { client } = await open()
    client.raw.send('hello')
    client.raw.send(Buffer.from('{}'), { binary: true })
    expect(await client.heard(2)).toMatchObject([
      { status: 400, error: { code: 'invalid_json' } },
      { status: 400, error: { code: 'invalid_json' } },
    ])
    client.raw.close()
  })

  test('a call that the token’s quota no longer allows', async () => {
    gateway.set({ ModelRatio: { gpt: 10 }, PreConsumedQuota: 0 })
    const { client, rows } = await open({ unlimitedQuota: false, grantedQuota: 145 })
    client.say(create('gpt'))
    const session = await upstream.session(upstream.sessions.length + 1)
    await session.heard(1)
    session.socket.send(event('completed', 'r1', { usage }))
    await rows(1)
    client.say(create('gpt'))
    expect(await client.event('error')).toMatchObject({
      status: 401,
      error: { code: 'insufficient_quota' },
    })
    expect(session.frames).toHaveLength(1)
    client.raw.close()
    await session.ended
  })

  test('a model that is converted: 426, and from then on at the upgrade', async () => {
    const { client, token, rows } = await open()
    client.say(create('claude'))
    expect(await client.event('error')).toMatchObject({
      status: 426,
      error: { code: 'websocket_not_served' },
    })
    expect(await client.ended).toMatchObject({ code: 1008 })
    const { headers } = bearer(token.full)
    const refused = await refusedUpgrade(gateway.url, path, headers)
    expect(refused).toMatchObject({
      status: 426,
      json: { error: { code: 'websocket_not_served' } },
    })
    expect(await rows(0)).toEqual([])
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 10 * 60_000 + 1)
    const again = await connectSocket(gateway.url, path, { headers })
    vi.restoreAllMocks()
    again.raw.close()
    await again.ended
  })

  test('a route, whose calls may each have another model', async () => {
    const target = { model: 'gpt', channelId: null, tag: null, weight: 0 }
    const { id } = gateway.parts.routes.create({ name: 'best', targets: [target] })
    const { client } = await open()
    client.say(create('best'))
    expect(await client.event('error')).toMatchObject({ status: 426 })
    gateway.parts.routes.remove(id)
  })

  test('an upstream that has Responses over HTTP only', async () => {
    const { client, token } = await open()
    upstream.refuse({ status: 404, body: { error: { message: 'Not Found' } } })
    client.say(create('gpt'))
    expect(await client.event('error')).toMatchObject({ status: 426 })
    const { headers } = bearer(token.full)
    expect(await refusedUpgrade(gateway.url, path, headers)).toMatchObject({ status: 426 })
  })
})

describe('at the upgrade', () => {
  test('a caller none of whose channels takes it gets 426', async () => {
    const token = gateway.addToken({ modelLimitsEnabled: true, modelLimits: ['claude'] })
    const { headers } = bearer(token.full)
    const refused = await refusedUpgrade(gateway.url, path, headers)
    expect(refused).toMatchObject({
      status: 426,
      json: { error: { type: 'invalid_request_error', code: 'websocket_not_served' } },
    })
    expect(refused.json.error.message).toContain('"stream": true')
  })

  test('no key and a disabled token get 401', async () => {
    expect(await refusedUpgrade(gateway.url, path)).toMatchObject({ status: 401 })
    const token = gateway.addToken({ status: 2 })
    const { headers } = bearer(token.full)
    expect(await refusedUpgrade(gateway.url, path, headers)).toMatchObject({ status: 401 })
  })
})
