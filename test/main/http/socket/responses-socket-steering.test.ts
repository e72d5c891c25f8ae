import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectSocket } from '../../../support/clients/socket-client.ts'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type SocketUpstream,
  startSocketUpstream,
} from '../../../support/upstreams/socket-upstream.ts'

/** The client says more to a response under way: https://developers.openai.com/api/docs/guides/steering */
let gateway: TestGateway
let upstream: SocketUpstream
let sessions = 0

beforeAll(async () => {
  gateway = await startTestGateway()
  upstream = await startSocketUpstream()
  gateway.addChannel({
    baseUrl: upstream.url,
    models: ['astra'],
    modelMapping: { astra: 'gpt-6-astra' },
    settings: { endpoint_types: ['openai-response'] },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const usage = (input_tokens: number, output_tokens: number) => ({
  usage: { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens },
})
const event = (type: string, id: string, fields: object = {}, lane?: string) =>
  JSON.stringify({
    type: `response.${type}`,
    response: { id, model: 'gpt-6-astra', ...fields },
    ...(lane === undefined ? {} : { stream_id: lane }),
  })

async function open() {
  const token = gateway.addToken()
  const headers = { authorization: `Bearer ${token.full}` }
  const client = await connectSocket(gateway.url, '/v1/responses', { headers })
  const own = () => gateway.rows().filter(({ tokenId }) => tokenId === token.id)
  const rows = async (count: number) => {
    for (let tries = 0; tries < 200 && own().length < count; tries++)
      await new Promise((resolve) => setTimeout(resolve, 10))
    return own()
  }
  const create = async (fields: object = {}) => {
    client.say({ type: 'response.create', model: 'astra', input: 'Hi', ...fields })
    const session = await upstream.session(++sessions)
    await session.heard(1)
    return session
  }
  return { client, rows, create }
}
const steer = (id: string) => ({
  type: 'response.steer',
  previous_response_id: id,
  input: 'Short.',
})

test('what the vendor goes on with after more words of the client is booked, and named as asked', async () => {
  const { client, rows, create } = await open()
  const session = await create()
  session.socket.send(event('created', 'r1'))
  await client.event('response.created')
  client.say(steer('r1'))
  await session.heard(2)
  session.socket.send('{"type":"response.steer.accepted","steer":{"id":"s1"}}')
  const steered = { incomplete_details: { reason: 'steered' }, ...usage(10, 5) }
  session.socket.send(event('incomplete', 'r1', steered))
  session.socket.send(event('created', 'r2', { previous_response_id: 'r1' }))
  session.socket.send('{"type":"response.output_text.delta","delta":"Short."}')
  session.socket.send(event('completed', 'r2', { previous_response_id: 'r1', ...usage(100, 50) }))
  const [second, first] = await rows(2)
  expect(first).toMatchObject({ model: 'astra', promptTokens: 10, completionTokens: 5 })
  expect(second).toMatchObject({
    ...{ model: 'astra', promptTokens: 100, completionTokens: 50, channelName: 'upstream' },
    ...{ status: 200, isStream: true },
  })
  expect(second?.requestId).not.toBe(first?.requestId)
  const heard = await client.heard<{ type: string; response?: { model: string } }>(6)
  const models = heard.flatMap(({ response }) => response?.model ?? [])
  expect(models).toEqual(['astra', 'astra', 'astra', 'astra'])
  client.raw.close()
})

test('one that goes on is counted as far as it came where its client leaves', async () => {
  const { client, rows, create } = await open()
  const session = await create({ stream_id: 'a' })
  session.socket.send(event('created', 'r3', {}, 'a'))
  await client.event('response.created')
  client.say(steer('r3'))
  await session.heard(2)
  session.socket.send(event('completed', 'r3', usage(10, 5), 'a'))
  session.socket.send(event('created', 'r4', { previous_response_id: 'r3' }, 'a'))
  await client.heard(3)
  client.raw.close()
  const [second] = await rows(2)
  expect(second).toMatchObject({ status: 499 })
})

test('a response that nobody asked for and nobody steered stays what it was: no call', async () => {
  const { client, rows, create } = await open()
  const session = await create()
  session.socket.send(event('created', 'r5'))
  session.socket.send(event('completed', 'r5', usage(10, 5)))
  session.socket.send(event('created', 'r6', { previous_response_id: 'r5' }))
  session.socket.send(event('completed', 'r6', usage(100, 50)))
  await client.heard(4)
  expect(await rows(1)).toHaveLength(1)
  client.raw.close()
})

test('the client’s own next response is its own, also after it has said more to the one before', async () => {
  const { client, rows, create } = await open()
  const session = await create()
  session.socket.send(event('created', 'r7'))
  await client.event('response.created')
  client.say(steer('r7'))
  await session.heard(2)
  session.socket.send(event('completed', 'r7', usage(10, 5)))
  await client.event('response.completed')
  client.say({ type: 'response.create', model: 'astra', previous_response_id: 'r7', input: [] })
  await session.heard(3)
  session.socket.send(event('created', 'r8', { previous_response_id: 'r7' }))
  session.socket.send(event('completed', 'r8', usage(20, 6)))
  await client.heard(4)
  expect((await rows(2)).map(({ promptTokens }) => promptTokens)).toEqual([20, 10])
  client.raw.close()
})
