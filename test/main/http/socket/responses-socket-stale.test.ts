import { expect, test } from 'vitest'
import { startSocketStage } from '../../../support/clients/socket-stage.ts'
import type { HeardSession } from '../../../support/upstreams/socket-upstream.ts'

const json = (event: object) => JSON.stringify(event)
const usage = { input_tokens: 7, output_tokens: 5 }
const done = (id: string) => json({ type: 'response.completed', response: { id, usage } })

/** A client whose first response was answered, so that its connection to the vendor is kept. */
async function start() {
  const { gateway, upstream, connect } = await startSocketStage()
  gateway.set({ ModelRatio: { gpt: 1 }, PreConsumedQuota: 500 })
  const settings = { endpoint_types: ['openai-response' as const] }
  const fields = { baseUrl: upstream.url, models: ['gpt'], settings }
  const names = ['one', 'two']
  const channels = names.map((name, place) =>
    gateway.addChannel({ ...fields, name, key: `key-of-${name}`, priority: -place }),
  )
  const token = gateway.addToken({ unlimitedQuota: false, grantedQuota: 1_000_000 })
  const { client, say } = await connect(token.full)
  say()
  const kept = await upstream.session()
  await kept.heard(1)
  kept.socket.send(done('r1'))
  await client.heard(1)
  const asked = () =>
    upstream.upgrades.map(({ headers }) =>
      String(headers.authorization).replace('Bearer key-of-', ''),
    )
  const rows = async (count: number) =>
    (await gateway.rowsWhen(count)).map((row) => ({ ...row, other: JSON.parse(row.other) }))
  const leftOpen = () => {
    const { openCalls, slots, reservations } = gateway.parts
    return [openCalls.size, slots.active, reservations.ofToken(token.id)]
  }
  return { gateway, upstream, client, say, kept, asked, rows, leftOpen, channels }
}

test.each([
  ['says goodbye', ({ socket }: HeardSession) => socket.close(1000)],
  ['is broken off', ({ socket }: HeardSession) => socket.terminate()],
])('a kept connection that %s before a word of the next response is replaced', async (_, leave) => {
  const { gateway, upstream, client, say, kept, asked, rows, leftOpen, channels } = await start()
  say({ input: 'again' })
  await kept.heard(2)
  leave(kept)
  const fresh = await upstream.session(2)
  const [frame] = await fresh.heard(1)
  expect(String(frame?.data)).toBe(String(kept.frames[1]?.data))
  expect(leftOpen()).toEqual([1, 1, expect.toSatisfy((held: number) => held > 0)])
  fresh.socket.send(done('r2'))
  expect(await client.heard(2)).toMatchObject([{}, { response: { id: 'r2' } }])
  const [row] = await rows(2)
  expect(row).toMatchObject({ status: 200, content: '', promptTokens: 7, completionTokens: 5 })
  expect(row?.other.admin_info.route).toMatchObject({
    candidates: [{ name: 'one' }, { name: 'two' }],
    attempts: [{ code: 'upstream_cut', after: 'next' }, { status: 101 }],
  })
  expect(asked()).toEqual(['one', 'one'])
  expect(gateway.parts.health.circuits(channels[0]?.id ?? 0)).toEqual([])
  say()
  await fresh.heard(2)
  fresh.socket.send(done('r3'))
  await client.heard(3)
  expect(await rows(3)).toHaveLength(3)
  expect(leftOpen()).toEqual([0, 0, 0])
  client.raw.close()
})

test('where the vendor takes no new connection either, another channel is asked', async () => {
  const { upstream, client, say, kept, asked } = await start()
  say()
  await kept.heard(2)
  upstream.refuse({ status: 503, body: { error: { message: 'Overloaded.' } } })
  kept.socket.terminate()
  const fresh = await upstream.session(2)
  await fresh.heard(1)
  fresh.socket.send(done('r2'))
  await client.heard(2)
  expect(asked()).toEqual(['one', 'one', 'two'])
  client.raw.close()
})

test.each([
  ['that goes on from an answer of its vendor', { previous_response_id: 'r1' }, []],
  ['of which an event has come', {}, [json({ type: 'response.created', response: { id: 'r2' } })]],
  ['of which any word has come', {}, [json({ type: 'response.output_text.delta', delta: 'a' })]],
])('a response %s is not sent twice', async (_, more, events) => {
  const { client, say, kept, asked, rows, leftOpen } = await start()
  say(more)
  await kept.heard(2)
  for (const event of events) kept.socket.send(event)
  await client.heard(1 + events.length)
  kept.socket.terminate()
  expect(await client.event('error')).toMatchObject({ error: { code: 'upstream_cut' } })
  await client.ended
  expect((await rows(2))[0]).toMatchObject({ other: { error_code: 'upstream_cut' } })
  expect(asked()).toEqual(['one'])
  expect(leftOpen()).toEqual([0, 0, 0])
})

test('what its client has steered meanwhile is not sent twice', async () => {
  const { client, say, kept, asked } = await start()
  say()
  client.say({ type: 'response.cancel' })
  await kept.heard(3)
  kept.socket.terminate()
  expect(await client.event('error')).toMatchObject({ error: { code: 'upstream_cut' } })
  expect(asked()).toEqual(['one'])
})

test('a new connection that is cut as well ends the response, honestly', async () => {
  const { upstream, client, say, kept, asked, rows } = await start()
  say()
  await kept.heard(2)
  kept.socket.terminate()
  const fresh = await upstream.session(2)
  await fresh.heard(1)
  fresh.socket.terminate()
  expect(await client.event('error')).toMatchObject({ error: { code: 'upstream_cut' } })
  await client.ended
  expect((await rows(2))[0]?.other.admin_info.route.attempts).toMatchObject([
    { code: 'upstream_cut', after: 'next' },
    { code: 'upstream_cut', after: 'begun' },
  ])
  expect(asked()).toEqual(['one', 'one'])
})

test('an owner who wants no second try after a cut gets none', async () => {
  const { gateway, client, say, kept, asked } = await start()
  gateway.set({ RetryRules: [{ kind: 'cut', action: 'stop' }] })
  say()
  await kept.heard(2)
  kept.socket.terminate()
  expect(await client.event('error')).toMatchObject({ error: { code: 'upstream_cut' } })
  expect(asked()).toEqual(['one'])
})

test('a client that leaves while the new connection is being made is booked as gone', async () => {
  const { upstream, client, say, kept, rows, leftOpen } = await start()
  say()
  await kept.heard(2)
  upstream.refuse('hang')
  kept.socket.terminate()
  await expect.poll(() => upstream.upgrades.length).toBe(2)
  client.raw.close()
  expect((await rows(2))[0]).toMatchObject({ status: 499, other: { error_code: 'client_gone' } })
  await expect.poll(() => upstream.open()).toBe(0)
  expect(leftOpen()).toEqual([0, 0, 0])
})
