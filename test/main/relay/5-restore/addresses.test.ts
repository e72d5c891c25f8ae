import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectSocket, refusedUpgrade } from '../../../support/clients/socket-client.ts'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'
import {
  type SocketUpstream,
  startSocketUpstream,
} from '../../../support/upstreams/socket-upstream.ts'
import { type Management, startManagement } from '../../manage/management.ts'

const NOBODY = 'http://127.0.0.1:9'

let pair: Pair
let sockets: SocketUpstream

beforeAll(async () => {
  pair = await startPair({ empty: true })
  sockets = await startSocketUpstream()
  const proxied = { setting: { proxy: NOBODY } }
  pair.addChannelOf('chat', { name: 'vendor', models: ['there'] })
  pair.addChannelOf('chat', { name: 'vendor', models: ['away'], baseUrl: NOBODY })
  pair.addChannelOf('chat', { name: 'vendor', models: ['proxied'], ...proxied })
  const settings = { endpoint_types: ['realtime', 'openai-response'] }
  const socket = { name: 'vendor', settings }
  pair.gateway.addChannel({ ...socket, baseUrl: sockets.url, models: ['live'] })
  pair.gateway.addChannel({ ...socket, baseUrl: NOBODY, models: ['away-live'] })
})
beforeEach(() =>
  pair.gateway.set({
    ...{ ChannelFailureCount: 0, RetryTimes: 0 },
    ...{ UpstreamIdleSeconds: 300, UpstreamFirstByteSeconds: 0 },
  }),
)
afterAll(async () => {
  await pair.close()
  await sockets.close()
})

const chat = (model: string, stream = false) =>
  pair.send('/v1/chat/completions', {
    body: { model, stream, messages: [{ role: 'user', content: 'hi' }] },
  })

/** The caller is told the channel's name; the row's part for administrators has the address, and no other part. */
function expectHidden(told: string, id: string, address: string): void {
  expect(told).toContain('vendor')
  expect(told).not.toContain('127.0.0.1')
  const [row] = pair.rowsOf(id)
  const { admin_info: admin, ...other } = JSON.parse(row?.other ?? '{}')
  expect(JSON.stringify([row?.content, other])).not.toContain('127.0.0.1')
  expect(JSON.stringify(admin.route.attempts)).toContain(address)
}

const hostOf = (url: string) => new URL(url).host

test.each([
  ['does not listen', 'away', null, hostOf(NOBODY)],
  ['is asked through a proxy that does not listen', 'proxied', null, hostOf(NOBODY)],
  ['resets the connection', 'there', { ending: 'reset-before-headers' as const }, ''],
  ['is silent', 'there', { ending: 'hang-before-headers' as const }, ''],
])('a caller learns no address of an upstream that %s', async (_what, model, reply, address) => {
  pair.gateway.set({ UpstreamIdleSeconds: 1 })
  if (reply) pair.upstream.script(reply)
  const refused = await chat(model)
  expect(refused.status).toBeGreaterThanOrEqual(502)
  expectHidden(refused.text, refused.id, address || hostOf(pair.upstream.url))
})

test('nor of one that breaks a stream off', async () => {
  const begun = 'data: {"choices":[{"index":0,"delta":{"content":"hi"}}]}\n\n'
  pair.upstream.script({ chunks: [begun], ending: 'cut' })
  const cut = await chat('there', true)
  expect(cut.text).toContain('"error"')
  expectHidden(cut.text, cut.id, hostOf(pair.upstream.url))
})

test('nor of one whose WebSocket cannot be had', async () => {
  const headers = { authorization: `Bearer ${pair.gateway.key}` }
  const refused = await refusedUpgrade(pair.gateway.url, '/v1/realtime?model=away-live', headers)
  expect(refused.status).toBe(502)
  const id = String(refused.headers['x-request-id'])
  expectHidden(refused.text, id, hostOf(NOBODY))
})

test('nor of one that is silent on a WebSocket', async () => {
  pair.gateway.set({ UpstreamFirstByteSeconds: 1 })
  const headers = { authorization: `Bearer ${pair.gateway.key}` }
  const client = await connectSocket(pair.gateway.url, '/v1/responses', { headers })
  const row = await pair.rowAfter(async () => {
    client.say({ type: 'response.create', model: 'live', input: 'hi' })
    const said = JSON.stringify(await client.event('error'))
    expect(said).toContain('did not begin its answer')
    expect(said).toContain('vendor')
    expect(said).not.toContain('127.0.0.1')
  })
  client.raw.close()
  expectHidden('vendor', row.requestId, hostOf(sockets.url))
})

test('an administrator who tests the channel or asks for its models is told it', async () => {
  const management: Management = await startManagement()
  const { id } = management.gateway.parts.channels.create({
    ...{ type: 1, name: 'vendor', key: 'vendor-key', baseUrl: NOBODY },
    ...{ models: ['away'], groups: ['default'] },
  })
  for (const path of [`/api/channel/test/${id}`, `/api/channel/fetch_models/${id}`]) {
    const { body } = await management.owner.get(path)
    expect([path, body.message]).toEqual([path, expect.stringContaining(NOBODY)])
  }
})
