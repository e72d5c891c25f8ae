import { expect, test } from 'vitest'
import type { RouteNote } from '../../../../main/relay/call/route-note.ts'
import { startSocketStage } from '../../../support/clients/socket-stage.ts'
import type { HeardSession } from '../../../support/upstreams/socket-upstream.ts'

const json = (event: object) => JSON.stringify(event)
const done = (id: string) => json({ type: 'response.completed', response: { id } })
const limited = json({
  type: 'error',
  status: 429,
  error: { code: 'rate_limit_exceeded', type: 'requests', message: 'Slow down.' },
})

/** A client whose first response was answered by the first of these channels. */
async function start(...names: string[]) {
  const { gateway, upstream, connect } = await startSocketStage()
  const settings = { endpoint_types: ['openai-response' as const] }
  const fields = { baseUrl: upstream.url, models: ['gpt'], settings }
  const channels = names.map((name, place) =>
    gateway.addChannel({ ...fields, name, key: `key-of-${name}`, priority: -place }),
  )
  const { client, say } = await connect()
  /** Says it, and has it answered on this connection with this event. */
  async function exchange(session: HeardSession, event: string, more = {}) {
    const [asked, heard] = [session.frames.length + 1, client.frames.length + 1]
    say(more)
    await session.heard(asked)
    session.socket.send(event)
    await client.heard(heard)
  }
  say()
  const first = await upstream.session()
  await first.heard(1)
  first.socket.send(done('r1'))
  await client.heard(1)
  const asked = () =>
    upstream.upgrades.map(({ headers }) =>
      String(headers.authorization).slice('Bearer key-of-'.length),
    )
  const routes = async (count: number): Promise<RouteNote[]> =>
    (await gateway.rowsWhen(count)).map(({ other }) => JSON.parse(other).admin_info.route)
  return { gateway, upstream, client, say, exchange, first, asked, routes, channels }
}

test('after a rate limit the next response goes to another channel that is free', async () => {
  const { upstream, client, say, exchange, first, asked, routes } = await start('one', 'two')
  await exchange(first, limited)
  say()
  const second = await upstream.session(2)
  await second.heard(1)
  second.socket.send(done('r3'))
  await client.heard(3)
  expect(asked()).toEqual(['one', 'two'])
  expect((await first.ended).code).toBe(1000)
  expect((await routes(3))[0]).toMatchObject({
    candidates: [{ name: 'two' }, { name: 'one', why: 'open', reason: 'Slow down.' }],
    attempts: [{ status: 101 }],
  })
  await exchange(second, done('r4'))
  client.raw.close()
})

test('what goes on from an answer by its id stays where that was given', async () => {
  const { client, exchange, first, asked } = await start('one', 'two')
  await exchange(first, limited)
  await exchange(first, done('r3'), { previous_response_id: 'r1' })
  expect(asked()).toEqual(['one'])
  client.raw.close()
})

test('the only channel of a model is asked on, over the connection that is there', async () => {
  const { client, exchange, first, asked } = await start('one')
  await exchange(first, limited)
  await exchange(first, done('r3'))
  expect(asked()).toEqual(['one'])
  client.raw.close()
})

test('a channel that is no better off is no reason to leave', async () => {
  const { gateway, client, exchange, first, asked, channels } = await start('one', 'two')
  gateway.parts.health
    .watch(channels[1]?.id ?? 0, 'key-of-two', 'gpt')
    .failed({ blame: 'channel', reason: 'Away.', retryAfter: null, isAtOnce: true })
  await exchange(first, limited)
  await exchange(first, done('r3'))
  expect(asked()).toEqual(['one'])
  client.raw.close()
})

test('while another response is under way the connection is kept', async () => {
  const { client, say, first, exchange, asked } = await start('one', 'two')
  say({ stream_id: 'a' })
  await first.heard(2)
  await exchange(first, json({ ...JSON.parse(limited), stream_id: 'b' }), { stream_id: 'b' })
  await exchange(first, json({ ...JSON.parse(done('r4')), stream_id: 'b' }), { stream_id: 'b' })
  expect(asked()).toEqual(['one'])
  client.raw.close()
})

test('a vendor that has named a time is left alone till then, and the connection outlasts it', async () => {
  const { gateway, client, say, exchange, first, asked, channels } = await start('one')
  gateway.parts.health
    .watch(channels[0]?.id ?? 0, 'key-of-one', 'gpt')
    .failed({ blame: 'model', reason: 'Wait.', retryAfter: 300, isAtOnce: true })
  say()
  expect(await client.event('error')).toMatchObject({
    status: 429,
    error: { code: 'channels_rate_limited' },
  })
  expect(first.frames).toHaveLength(1)
  gateway.parts.health.forget(channels[0]?.id ?? 0)
  await exchange(first, done('r3'))
  expect(asked()).toEqual(['one'])
  client.raw.close()
  await first.ended
})

test('a client that leaves while another channel is being asked leaves no connection behind', async () => {
  const { upstream, client, say, exchange, first } = await start('one', 'two')
  await exchange(first, limited)
  upstream.refuse('hang')
  say()
  await expect.poll(() => upstream.upgrades.length).toBe(2)
  client.raw.close()
  await first.ended
  await expect.poll(() => upstream.open()).toBe(0)
})
