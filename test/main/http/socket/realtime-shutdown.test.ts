import { expect, onTestFinished, test } from 'vitest'
import { connectSocket } from '../../../support/clients/socket-client.ts'
import { startTestGateway } from '../../../support/gateway/start-test-gateway.ts'
import { startSocketUpstream } from '../../../support/upstreams/socket-upstream.ts'

async function start() {
  const gateway = await startTestGateway()
  const upstream = await startSocketUpstream()
  onTestFinished(() => upstream.close())
  gateway.addChannel({
    type: 1,
    baseUrl: upstream.url,
    models: ['m'],
    settings: { endpoint_types: ['realtime', 'openai-response'] },
  })
  const headers = { authorization: `Bearer ${gateway.key}` }
  const connect = (path: string) => connectSocket(gateway.url, path, { headers })
  return { gateway, upstream, connect }
}

test('a gateway that stops ends its sessions with 1001 on both sides, and books them', async () => {
  const { gateway, upstream, connect } = await start()
  const client = await connect('/v1/realtime?model=m')
  const session = await upstream.session(1)
  const booked: object[] = []
  const { parts } = gateway
  const { onBooked } = parts
  parts.onBooked = (call, row, warnings) => {
    booked.push(row)
    onBooked(call, row, warnings)
  }
  const from = performance.now()
  await gateway.close()
  expect(performance.now() - from).toBeLessThan(5_000)
  expect(await client.event('error')).toMatchObject({ error: { code: 'shutting_down' } })
  expect(await client.ended).toMatchObject({ code: 1001 })
  expect(await session.ended).toMatchObject({ code: 1001 })
  expect(booked).toMatchObject([{ model: 'm', content: expect.stringContaining('stopping') }])
})

test('a connection of Responses that rests is ended at once, one that works may finish', async () => {
  const { gateway, upstream, connect } = await start()
  const resting = await connect('/v1/responses')
  const working = await connect('/v1/responses')
  working.say({ type: 'response.create', model: 'm', input: 'hi' })
  const session = await upstream.session(1)
  await session.heard(1)
  const closing = gateway.close()
  expect(await resting.ended).toMatchObject({ code: 1001 })
  const last = { type: 'response.completed', response: { id: 'r', usage: { output_tokens: 3 } } }
  session.socket.send(JSON.stringify(last))
  expect(await working.event('response.completed')).toEqual(last)
  expect(await working.ended).toMatchObject({ code: 1001 })
  expect(await session.ended).toMatchObject({ code: 1001 })
  await closing
})
