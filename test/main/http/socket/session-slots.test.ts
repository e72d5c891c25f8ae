import { expect, onTestFinished, test } from 'vitest'
import { connectSocket, refusedUpgrade } from '../../../support/clients/socket-client.ts'
import { startTestGateway } from '../../../support/gateway/start-test-gateway.ts'
import { startSocketUpstream } from '../../../support/upstreams/socket-upstream.ts'

async function start() {
  const gateway = await startTestGateway()
  const upstream = await startSocketUpstream()
  onTestFinished(async () => {
    await gateway.close()
    await upstream.close()
  })
  gateway.addChannel({
    baseUrl: upstream.url,
    models: ['m'],
    settings: { endpoint_types: ['realtime', 'openai-response'] },
  })
  const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })
  return { gateway, upstream, bearer }
}

const create = { type: 'response.create', model: 'm', input: 'hi' }
const completed = (usage: object) =>
  JSON.stringify({ type: 'response.completed', response: { id: 'r', usage } })

test('a realtime session holds its slot from the upgrade to its end', async () => {
  const { gateway, upstream, bearer } = await start()
  gateway.set({ MaxConcurrentCalls: 1, MaxWaitingCalls: 0 })
  const path = '/v1/realtime?model=m'
  const client = await connectSocket(gateway.url, path, bearer(gateway.key))
  const refused = await refusedUpgrade(gateway.url, path, bearer(gateway.key).headers)
  expect(refused.status).toBe(429)
  expect(refused.json.error.code).toBe('gateway_busy')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  client.raw.close()
  await client.ended
  await gateway.rowsWhen(2)
  const next = await connectSocket(gateway.url, path, bearer(gateway.key))
  expect(upstream.sessions).toHaveLength(2)
  next.raw.close()
})

test('a connection of Responses holds a slot only while a response is under way', async () => {
  const { gateway, upstream, bearer } = await start()
  gateway.set({ MaxConcurrentCalls: 1, MaxWaitingCalls: 0 })
  const one = await connectSocket(gateway.url, '/v1/responses', bearer(gateway.key))
  const other = await connectSocket(gateway.url, '/v1/responses', bearer(gateway.key))
  one.say(create)
  const session = await upstream.session(1)
  await session.heard(1)
  other.say(create)
  expect(await other.event('error')).toMatchObject({ error: { code: 'gateway_busy' } })
  session.socket.send(completed({ input_tokens: 1, output_tokens: 1 }))
  await one.event('response.completed')
  other.say(create)
  await (await upstream.session(2)).heard(1)
})

test('a connection of Responses is under the limits of its token, response by response', async () => {
  const { gateway, upstream, bearer } = await start()
  const token = gateway.addToken({ requestsPerMinute: 1 })
  const client = await connectSocket(gateway.url, '/v1/responses', bearer(token.full))
  client.say(create)
  const session = await upstream.session(1)
  await session.heard(1)
  session.socket.send(completed({ input_tokens: 1, output_tokens: 1 }))
  await client.event('response.completed')
  client.say(create)
  expect(await client.event('error')).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
})

test('a realtime session that uses more than its token may in a minute is ended', async () => {
  const { gateway, upstream, bearer } = await start()
  const token = gateway.addToken({ tokensPerMinute: 100 })
  const path = '/v1/realtime?model=m'
  const client = await connectSocket(gateway.url, path, bearer(token.full))
  const session = await upstream.session(1)
  const usage = { input_tokens: 90, output_tokens: 20, total_tokens: 110 }
  session.socket.send(JSON.stringify({ type: 'response.done', response: { usage } }))
  expect(await client.event('error')).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
  await client.ended
  const refused = await refusedUpgrade(gateway.url, path, bearer(token.full).headers)
  expect(refused.status).toBe(429)
})
