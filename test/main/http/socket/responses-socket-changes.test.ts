import { expect, test } from 'vitest'
import { connectSocket } from '../../../support/clients/socket-client.ts'
import { startSocketStage } from '../../../support/clients/socket-stage.ts'

const KEYS = ['vendor-key-first', 'vendor-key-second'] as const

const done = (id: string) => JSON.stringify({ type: 'response.completed', response: { id } })

/** A client on a connection whose channel its owner changes meanwhile. */
async function start(fields: object) {
  const { gateway, upstream, connect } = await startSocketStage()
  const { id } = gateway.addChannel({
    baseUrl: upstream.url,
    models: ['gpt'],
    settings: { endpoint_types: ['openai-response'] },
    ...fields,
  })
  const { client, say } = await connect()
  return { gateway, upstream, client, say, channels: gateway.parts.channels, id }
}

const json = (frame: { data: Buffer } | undefined) => JSON.parse(String(frame?.data))

test('a channel’s operations are carried out, and what is changed in it holds for the next call', async () => {
  const { upstream, client, say, channels, id } = await start({
    paramOverride: {
      temperature: 0,
      operations: [{ mode: 'append', path: 'input', value: '!' }],
    },
  })
  say({ user: 'u' })
  const session = await upstream.session()
  const [first] = await session.heard(1)
  expect(json(first)).toEqual({
    ...{ type: 'response.create', model: 'gpt', input: 'hi!', user: 'u', temperature: 0 },
  })
  session.socket.send(done('r1'))
  await client.event('response.completed')
  channels.update(id, { paramOverride: { temperature: 1 }, modelMapping: { gpt: 'real' } })
  say()
  const [, second] = await session.heard(2)
  expect(json(second)).toMatchObject({ model: 'real', input: 'hi', temperature: 1 })
  expect(upstream.sessions).toHaveLength(1)
  client.raw.close()
  await session.ended
})

test('a key that is disabled is used no further, and each call’s row names its key', async () => {
  const { gateway, upstream, client, say, channels, id } = await start({
    key: KEYS.join('\n'),
    multiKeyMode: 'polling',
  })
  say()
  const first = await upstream.session()
  await first.heard(1)
  expect(first.headers.authorization).toBe(`Bearer ${KEYS[0]}`)
  first.socket.send(done('r1'))
  await client.heard(1)
  say()
  await first.heard(2)
  channels.update(id, { keyStates: [{ status: 2, reason: '', time: 0 }] })
  // Not while an answer is under way there.
  say()
  expect(await client.event('error')).toMatchObject({
    error: { code: 'websocket_connection_limit_reached' },
  })
  first.socket.send(done('r2'))
  await client.heard(3)
  say()
  const second = await upstream.session(2)
  await second.heard(1)
  expect(second.headers.authorization).toBe(`Bearer ${KEYS[1]}`)
  second.socket.send(done('r3'))
  await client.heard(4)
  const rows = gateway.rows().filter(({ type }) => type === 2)
  const indexes = rows.map(({ other }) => JSON.parse(other).admin_info.multi_key_index)
  expect(indexes).toEqual([1, 0, 0])
  client.raw.close()
  await second.ended
})

test('a changed header override holds for the next call, on a new connection', async () => {
  const { upstream, client, say, channels, id } = await start({
    headerOverride: { 'x-team': 'blue' },
  })
  say()
  const first = await upstream.session()
  await first.heard(1)
  first.socket.send(done('r1'))
  await client.event('response.completed')
  channels.update(id, { headerOverride: { 'x-team': 'green' } })
  say()
  await expect.poll(() => upstream.sessions.flatMap(({ frames }) => frames).length).toBe(2)
  expect(upstream.sessions.map(({ headers }) => headers['x-team'])).toEqual(['blue', 'green'])
  client.raw.close()
  await upstream.sessions.at(-1)?.ended
})

test('a model whose first group has no WebSocket is sent to HTTP, where that group serves it', async () => {
  const { gateway, upstream, channels, id } = await start({})
  channels.update(id, { groups: ['vip'] })
  gateway.addChannel({ type: 14, baseUrl: upstream.url, models: ['gpt'] })
  gateway.set({
    GroupRatio: { default: 1, vip: 1 },
    UserUsableGroups: { vip: 'Very important', auto: 'Whichever has it' },
    AutoGroups: ['default', 'vip'],
  })
  const headers = {
    authorization: `Bearer ${gateway.addToken({ group: 'auto', modelAliases: { mine: 'gpt' } }).full}`,
  }
  const client = await connectSocket(gateway.url, '/v1/responses', { headers })
  client.say({ type: 'response.create', model: 'mine', input: 'hi' })
  expect(await client.event('error')).toMatchObject({
    status: 426,
    error: {
      code: 'websocket_not_served',
      message: expect.stringContaining('"gpt" (asked for as "mine")'),
    },
  })
})

test('what waits its turn when the upstream goes is sent to no vendor, since its client goes too', async () => {
  const { gateway, upstream, client, say } = await start({})
  gateway.set({ MaxConcurrentCalls: 1, ChannelFailureCount: 0 })
  say()
  const session = await upstream.session()
  await session.heard(1)
  say({ stream_id: 'other' })
  while (gateway.parts.slots.waiting === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  session.socket.terminate()
  const rows = await gateway.rowsWhen(2)
  await client.ended
  expect(rows.map(({ other }) => JSON.parse(other).error_code)).toEqual([
    'upstream_cut',
    'upstream_cut',
  ])
  expect(upstream.upgrades).toHaveLength(1)
  expect([gateway.parts.slots.active, gateway.parts.openCalls.size]).toEqual([0, 0])
})

test('a token’s alias is sent as its model, and the client sees the alias', async () => {
  const { gateway, upstream, connect } = await startSocketStage()
  gateway.addChannel({
    ...{ baseUrl: upstream.url, models: ['gpt'] },
    settings: { endpoint_types: ['openai-response'] },
  })
  const { full } = gateway.addToken({ modelAliases: { 'claude-via-gpt': 'gpt' } })
  const { client, say } = await connect(full)
  say({ model: 'claude-via-gpt', response: { model: 'claude-via-gpt' } })
  const session = await upstream.session()
  const [frame] = await session.heard(1)
  expect(JSON.parse(String(frame?.data))).toMatchObject({
    model: 'gpt',
    response: { model: 'gpt' },
  })
  const response = { id: 'r1', model: 'gpt' }
  session.socket.send(JSON.stringify({ type: 'response.completed', response }))
  expect(await client.event('response.completed')).toMatchObject({
    response: { model: 'claude-via-gpt' },
  })
  const [row] = await gateway.rowsWhen(1)
  expect(row?.model).toBe('gpt')
  expect(JSON.parse(row?.other ?? '')).toMatchObject({ asked_model: 'claude-via-gpt' })
  client.raw.close()
})
