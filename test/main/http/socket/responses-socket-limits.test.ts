import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { ChannelSettings } from '../../../../main/store/records/channels.ts'
import { startSocketStage } from '../../../support/clients/socket-stage.ts'

/** A client of a channel with these limits, whose vendor says nothing by itself. */
async function start(limits: ChannelSettings) {
  const { gateway, upstream, connect } = await startSocketStage()
  const { id } = gateway.addChannel({
    baseUrl: upstream.url,
    models: ['gpt'],
    settings: { endpoint_types: ['openai-response'], ...limits },
  })
  const { client, say } = await connect()
  const circuit = () => gateway.parts.health.ofChannel({ id }, ['vendor-key'], 'gpt').state
  const rows = async (count: number) =>
    (await gateway.rowsWhen(count)).map((row) => ({ ...row, other: JSON.parse(row.other) }))
  return { gateway, upstream, client, say, circuit, rows }
}

const json = (event: object) => JSON.stringify(event)
const created = (id: string, lane = {}) =>
  json({ type: 'response.created', response: { id }, ...lane })
const delta = (lane = {}) =>
  json({ type: 'response.output_text.delta', delta: 'some more words ', ...lane })
const done = (id: string, lane = {}) =>
  json({ type: 'response.completed', response: { id }, ...lane })

test('a vendor that begins no answer is given up, and asked over another connection next', async () => {
  const { upstream, client, say, circuit, rows } = await start({ first_byte_seconds: 0.5 })
  say()
  const first = await upstream.session()
  expect(await client.event('error')).toMatchObject({
    status: 504,
    error: {
      code: 'upstream_timeout',
      message: expect.stringMatching(/did not begin its answer within 0.5 seconds/),
    },
  })
  const [row] = await rows(1)
  expect(row).toMatchObject({ type: 5, status: 504, other: { error_code: 'upstream_timeout' } })
  expect(row?.other.admin_info.route.attempts).toMatchObject([
    { code: 'upstream_timeout', after: 'final' },
  ])
  // As over HTTP one is enough.
  expect(circuit()).toBe('open')
  expect((await first.ended).code).toBe(1000)
  say()
  const second = await upstream.session(2)
  await second.heard(1)
  second.socket.send(done('r2'))
  expect(await client.heard(2)).toMatchObject([{}, { response: { id: 'r2' } }])
  // The kept connection is watched as well.
  say()
  await client.heard(3)
  expect((await rows(3))[0]?.other.admin_info.route.attempts).toMatchObject([
    { code: 'upstream_timeout', after: 'final' },
  ])
  client.raw.close()
})

test('a vendor that falls silent in the middle is given up, and what it said is counted', async () => {
  const { gateway, upstream, client, say, circuit, rows } = await start({})
  gateway.set({ UpstreamIdleSeconds: 1 })
  say()
  const session = await upstream.session()
  await session.heard(1)
  session.socket.send(created('r1'))
  for (let count = 0; count < 20; count++) session.socket.send(delta())
  expect(await client.event('error')).toMatchObject({
    status: 504,
    error: {
      code: 'upstream_timeout',
      message: expect.stringMatching(/sent nothing for 1 seconds/),
    },
  })
  const [row] = await rows(1)
  expect(row).toMatchObject({ other: { error_code: 'upstream_timeout', estimated: true } })
  expect(row?.completionTokens).toBeGreaterThan(40)
  expect(circuit()).toBe('closed')
  expect(gateway.parts.health.circuits(1)).toMatchObject([{ failures: 1, key: null }])
  client.raw.close()
})

test('an answer that goes on for ever is ended by the limit in all', async () => {
  const { upstream, client, say, rows } = await start({ total_seconds: 1 })
  say()
  const session = await upstream.session()
  await session.heard(1)
  session.socket.send(created('r1'))
  const talk = setInterval(() => session.socket.send(delta()), 50)
  onTestFinished(() => clearInterval(talk))
  expect(await client.event('error')).toMatchObject({
    error: { message: expect.stringMatching(/did not finish its answer within 1 seconds/) },
  })
  await session.ended
  expect((await rows(1))[0]).toMatchObject({ other: { error_code: 'upstream_timeout' } })
  client.raw.close()
})

test('a lane that is silent takes nothing from the others, and hears nothing late', async () => {
  const { upstream, client, say, rows } = await start({ idle_seconds: 2 })
  const [a, b] = [{ stream_id: 'a' }, { stream_id: 'b' }]
  say(a)
  say(b)
  say(a)
  const session = await upstream.session()
  await session.heard(3)
  const talk = setInterval(() => session.socket.send(delta(b)), 50)
  onTestFinished(() => clearInterval(talk))
  expect(await client.event('error')).toMatchObject({ ...a, error: { code: 'upstream_timeout' } })
  const rowsOfA = await rows(2)
  expect(rowsOfA.map(({ other }) => other.error_code)).toEqual([
    'upstream_timeout',
    'upstream_timeout',
  ])
  say({ stream_id: 'c' })
  const ofType = (type: string) =>
    client.frames.map(({ data }) => JSON.parse(String(data))).filter((one) => one.type === type)
  await expect.poll(() => ofType('error')).toMatchObject([a, a, { stream_id: 'c' }])
  expect(ofType('error')[2]).toMatchObject({ code: 'websocket_connection_limit_reached' })
  session.socket.send(created('ra', a))
  session.socket.send(delta(a))
  session.socket.send(done('ra', a))
  clearInterval(talk)
  session.socket.send(done('rb', b))
  await session.ended
  expect(ofType('response.completed')).toMatchObject([{ response: { id: 'rb' }, ...b }])
  expect(ofType('response.created')).toEqual([])
  say()
  await (await upstream.session(2)).heard(1)
  client.raw.close()
})

test('a response that waits for the one before it in its lane has its own time', async () => {
  const { upstream, client, say } = await start({ first_byte_seconds: 2, total_seconds: 5 })
  say()
  say()
  const session = await upstream.session()
  await session.heard(2)
  session.socket.send(created('r1'))
  await sleep(4000)
  session.socket.send(done('r1'))
  await client.event('response.completed')
  await sleep(600)
  session.socket.send(created('r2'))
  await sleep(600)
  session.socket.send(done('r2'))
  await client.heard(4)
  const types = client.frames.map(({ data }) => JSON.parse(String(data)).type)
  expect(types).not.toContain('error')
  client.raw.close()
})

test('a client that takes its time is not held against the vendor', async () => {
  const { upstream, client, say, rows } = await start({ idle_seconds: 4, total_seconds: 6 })
  say()
  const session = await upstream.session()
  await session.heard(1)
  client.raw.pause()
  session.socket.send(created('r1'))
  const padding = 'x'.repeat(256 * 1024)
  const count = 128
  for (let sent = 0; sent < count; sent++) session.socket.send(json({ type: 'padding', padding }))
  session.socket.send(done('r1'))
  await sleep(8000)
  client.raw.resume()
  await client.heard(count + 2)
  expect((await rows(1))[0]).toMatchObject({ content: '', status: 200 })
  client.raw.close()
})
