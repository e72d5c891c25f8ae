import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { connectSocket } from '../../../support/clients/socket-client.ts'
import { startTestGateway } from '../../../support/gateway/start-test-gateway.ts'
import { startSocketUpstream } from '../../../support/upstreams/socket-upstream.ts'

async function connected() {
  const gateway = await startTestGateway()
  const upstream = await startSocketUpstream()
  onTestFinished(async () => {
    await gateway.close()
    await upstream.close()
  })
  const settings = { endpoint_types: ['openai-response'] }
  gateway.addChannel({ baseUrl: upstream.url, models: ['gpt'], settings })
  const client = await connectSocket(gateway.url, '/v1/responses', {
    headers: { authorization: `Bearer ${gateway.key}` },
  })
  const create = (lane: string, input = 'Tell me.') =>
    JSON.stringify({ type: 'response.create', model: 'gpt', input, stream_id: lane })
  return { gateway, upstream, client, create }
}

const delta = (lane?: string) =>
  JSON.stringify({
    ...{ type: 'response.output_text.delta', delta: 'some more words ' },
    ...(lane === undefined ? {} : { stream_id: lane }),
  })

test.each(['the client', 'the upstream'])(
  'what was said before %s left is counted',
  async (who) => {
    const { gateway, upstream, client, create } = await connected()
    client.raw.send(create('a'))
    const session = await upstream.session()
    await session.heard(1)
    for (let count = 0; count < 50; count++) session.socket.send(delta())
    await client.heard(50)
    if (who === 'the client') client.raw.close()
    else session.socket.terminate()
    const [row] = await gateway.rowsWhen(1)
    expect(row?.completionTokens).toBeGreaterThan(100)
    expect(row?.promptTokens).toBeGreaterThan(0)
    const status = who === 'the client' ? { cancelled: true } : { error_code: 'upstream_cut' }
    expect(JSON.parse(row?.other ?? '')).toMatchObject({ estimated: true, ...status })
  },
)

test('of two lanes each is counted by its own words', async () => {
  const { gateway, upstream, client, create } = await connected()
  client.raw.send(create('a'))
  client.raw.send(create('b'))
  const session = await upstream.session()
  await session.heard(2)
  for (let count = 0; count < 20; count++) session.socket.send(delta('b'))
  await client.heard(20)
  client.raw.close()
  const rows = await gateway.rowsWhen(2)
  const counted = rows.map(({ completionTokens }) => completionTokens).sort((a, b) => a - b)
  expect(counted[0]).toBe(0)
  expect(counted[1]).toBeGreaterThan(40)
})

test('an upstream that does not read holds a client back that asks in ever new lanes', async () => {
  const { gateway, upstream, client, create } = await connected()
  client.raw.send(create('first'))
  const session = await upstream.session()
  await session.heard(1)
  session.socket.pause()
  const input = 'x'.repeat(1024 * 1024)
  let out = 0
  const next = () => {
    if (out++ < 96) client.raw.send(create(`lane ${out}`, input), next)
  }
  next()
  for (let before = -1; before !== out; await sleep(1000)) before = out
  expect(out).toBeLessThan(48)
  session.socket.resume()
  await session.heard(97)
  client.raw.close()
  for (let tries = 0; tries < 600 && gateway.parts.openCalls.size > 0; tries++) await sleep(5)
  expect(gateway.parts.openCalls.size).toBe(0)
})
