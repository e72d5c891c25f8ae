import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectSocket } from '../../../support/clients/socket-client.ts'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type SocketUpstream,
  startSocketUpstream,
} from '../../../support/upstreams/socket-upstream.ts'

let gateway: TestGateway
let upstream: SocketUpstream

beforeAll(async () => {
  gateway = await startTestGateway()
  upstream = await startSocketUpstream()
  gateway.addChannel({
    type: 1,
    baseUrl: `${upstream.url}/v1/`,
    models: ['gpt-realtime'],
    modelMapping: { 'gpt-realtime': 'vendor-realtime' },
    headerOverride: { '*': '' },
    settings: { endpoint_types: ['realtime'] },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const path = '/v1/realtime?model=gpt-realtime'

test.each([
  ['Authorization', (key: string) => ({ headers: { authorization: `Bearer ${key}` } })],
  ['api-key', (key: string) => ({ headers: { 'api-key': key } })],
  ['x-api-key', (key: string) => ({ headers: { 'x-api-key': key } })],
  ['the query', (key: string) => ({ where: `${path}&key=${key}` })],
  [
    'a subprotocol',
    (key: string) => ({ protocols: ['realtime', `openai-insecure-api-key.${key}`] }),
  ],
  [
    'the first of its subprotocols',
    (key: string) => ({ protocols: [`openai-insecure-api-key.${key}`, 'realtime'] }),
  ],
])('a key in %s is taken, and stays here', async (_name, carrier) => {
  const { where = path, ...options } = carrier(gateway.key) as {
    where?: string
    headers?: Record<string, string>
    protocols?: string[]
  }
  const client = await connectSocket(gateway.url, where, options)
  expect(client.raw.protocol).toBe(options.protocols ? 'realtime' : '')
  const session = await upstream.session(upstream.sessions.length)
  expect(session.url).toBe('/v1/realtime?model=vendor-realtime')
  expect(JSON.stringify([session.url, session.headers])).not.toContain(gateway.key.slice(3))
  client.raw.close()
  await session.ended
})

test('a browser that asks for the beta by subprotocol gets it by header', async () => {
  const protocols = [
    'realtime',
    `openai-insecure-api-key.${gateway.key}`,
    'openai-beta.realtime-v1',
  ]
  const client = await connectSocket(gateway.url, path, { protocols })
  const session = await upstream.session(upstream.sessions.length)
  expect(session.headers['openai-beta']).toBe('realtime=v1')
  client.raw.close()
  await session.ended
})

test('a key that names its channel may join a call without a model', async () => {
  const id = gateway.parts.channels.all()[0]?.id
  const headers = { authorization: `Bearer ${gateway.key}-${id}` }
  const client = await connectSocket(gateway.url, '/v1/realtime?call_id=rtc_1', { headers })
  const session = await upstream.session(upstream.sessions.length)
  expect(session.url).toBe('/v1/realtime?call_id=rtc_1')
  client.raw.close()
  await session.ended
})
