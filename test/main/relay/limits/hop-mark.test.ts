import { expect, onTestFinished, test } from 'vitest'
import type { Call } from '../../../../main/relay/call/call.ts'
import { markHop } from '../../../../main/relay/limits/hop-mark.ts'
import type { Channel } from '../../../../main/store/records/channels.ts'
import { refusedUpgrade } from '../../../support/clients/socket-client.ts'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'

const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'model-a',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
}

async function start(): Promise<TestGateway> {
  const gateway = await startTestGateway()
  onTestFinished(() => gateway.close())
  return gateway
}

async function startVendor(): Promise<ScriptedUpstream> {
  const vendor = await startUpstream(() => ({ body: answer }))
  onTestFinished(() => vendor.close())
  return vendor
}

async function ask(gateway: TestGateway, headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, ...headers },
    body: JSON.stringify({ model: 'model-a', messages: [{ role: 'user', content: 'Hi' }] }),
  })
  return { response, text: await response.text() }
}

const leadTo = (from: TestGateway, to: TestGateway) =>
  from.addChannel({ baseUrl: to.url, key: to.key })

test('a channel that leads back to its gateway is told of at once, and makes no second round', async () => {
  const gateway = await start()
  leadTo(gateway, gateway)
  const { response, text } = await ask(gateway)
  expect([response.status, response.headers.get('x-should-retry')]).toEqual([508, 'false'])
  expect(text).toContain('This call was sent by this very gateway')
  expect(gateway.rows()).toHaveLength(2)
})

test('so is a circle of two', async () => {
  const [one, two] = [await start(), await start()]
  leadTo(one, two)
  leadTo(two, one)
  const { text } = await ask(one)
  expect(text).toContain('This call was sent by this very gateway')
  expect([one.rows().length, two.rows().length]).toEqual([2, 1])
})

test('another channel of the model answers where one loops', async () => {
  const vendor = await startVendor()
  const gateway = await start()
  gateway.addChannel({ baseUrl: gateway.url, key: gateway.key, priority: 1 })
  gateway.addChannel({ baseUrl: vendor.url })
  const { response } = await ask(gateway)
  expect([response.status, vendor.requests.length]).toEqual([200, 1])
})

test('a gateway behind another one is no circle, but a long row of them is refused', async () => {
  const vendor = await startVendor()
  const [one, two] = [await start(), await start()]
  leadTo(one, two)
  two.addChannel({ baseUrl: vendor.url })
  expect((await ask(one)).response.status).toBe(200)
  const hops = String(vendor.last().headers['x-switchyard-hop']).split(', ')
  expect(hops).toEqual([one.parts.hopMark, two.parts.hopMark])
  const { response, text } = await ask(one, { 'x-switchyard-hop': 'a, b, c, d, e, f, g, h' })
  expect([response.status, vendor.requests.length]).toEqual([508, 1])
  expect(text).toContain('has passed 8 gateways already')
})

test('a session that leads back to its gateway is refused as well', async () => {
  const gateway = await start()
  const settings = { endpoint_types: ['realtime'] }
  gateway.addChannel({ baseUrl: gateway.url, key: gateway.key, settings })
  const headers = { authorization: `Bearer ${gateway.key}` }
  const refused = await refusedUpgrade(gateway.url, '/v1/realtime?model=model-a', headers)
  expect(refused.json.error.message).toContain('This call was sent by this very gateway')
  expect(gateway.rows()).toHaveLength(2)
})

test('a vendor at its own address is not told of the gateways that a call has passed', () => {
  const call = { headers: { 'x-switchyard-hop': 'first' } } as unknown as Call
  const sent = (baseUrl: string) => {
    const headers = {}
    markHop(headers, call, { baseUrl } as Channel, { hopMark: 'second' })
    return headers
  }
  expect(sent('')).toEqual({})
  expect(sent('https://gateway.example')).toEqual({ 'x-switchyard-hop': 'first, second' })
})
