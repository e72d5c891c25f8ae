import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Capture, CapturedFrame } from '../../../main/capture/capture.ts'
import { connectSocket } from '../../support/clients/socket-client.ts'
import { startTestGateway, type TestGateway } from '../../support/gateway/start-test-gateway.ts'
import {
  type HeardSession,
  type SocketUpstream,
  startSocketUpstream,
} from '../../support/upstreams/socket-upstream.ts'

let gateway: TestGateway
let upstream: SocketUpstream
let play: (session: HeardSession) => void = () => {}

beforeAll(async () => {
  gateway = await startTestGateway()
  upstream = await startSocketUpstream({ onSession: (session) => play(session) })
  gateway.addChannel({
    ...{ name: 'voice', key: 'sk-voice-0123456789abcdef', baseUrl: upstream.url },
    ...{ models: ['gpt-realtime'], settings: { endpoint_types: ['openai', 'realtime'] } },
  })
  gateway.addChannel({
    ...{ name: 'responses', baseUrl: upstream.url, models: ['asked'] },
    ...{ modelMapping: { asked: 'real' }, settings: { endpoint_types: ['openai-response'] } },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const connect = (path: string) =>
  connectSocket(gateway.url, path, { headers: { authorization: `Bearer ${gateway.key}` } })

const textsOf = (capture: Capture | null, border: CapturedFrame['border']) =>
  (capture?.frames ?? [])
    .filter((frame) => frame.border === border)
    .map(({ data }) => data.toString())

async function captureAfter(run: () => Promise<void>): Promise<Capture | null> {
  const before = gateway.rows().length
  await run()
  const [row] = await gateway.rowsWhen(before + 1)
  return gateway.parts.captures.find(row?.requestId ?? '')
}

test('of a realtime session every message of both sides is captured, in order and with its time', async () => {
  play = (session) => session.socket.send('{"type":"session.created"}')
  const capture = await captureAfter(async () => {
    const client = await connect('/v1/realtime?model=gpt-realtime')
    await client.heard(1)
    client.raw.send('{"type":"response.create"}')
    client.raw.send(Buffer.from([1, 2, 3]))
    const session = await upstream.session()
    await session.heard(2)
    session.socket.send('{"type":"response.created"}')
    await client.heard(2)
    client.raw.close(1000, '')
  })
  expect(textsOf(capture, 'client-in')).toEqual(['{"type":"response.create"}', '\x01\x02\x03'])
  expect(textsOf(capture, 'upstream-out')).toEqual(textsOf(capture, 'client-in'))
  expect(textsOf(capture, 'upstream-in')).toEqual([
    '{"type":"session.created"}',
    '{"type":"response.created"}',
  ])
  expect(textsOf(capture, 'client-out')).toEqual(textsOf(capture, 'upstream-in'))
  expect(capture?.frames?.filter(({ isBinary }) => isBinary)).toHaveLength(2)
  const times = capture?.frames?.map(({ at }) => at) ?? []
  expect(times).toEqual([...times].sort((one, other) => one - other))
  expect(capture?.client.request.url).toBe('/v1/realtime?model=gpt-realtime')
  expect(JSON.stringify(capture)).not.toContain('sk-voice-0123456789abcdef')
})

test('of a session as many bytes of messages are kept as of a body, and smaller ones that still fit', async () => {
  play = () => {}
  const before = gateway.parts.settings.current.CaptureBodyMegabytes
  gateway.set({ CaptureBodyMegabytes: 1 })
  const sent = [600_000, 600_000, 3].map((size) => Buffer.alloc(size, 1))
  const capture = await captureAfter(async () => {
    const count = upstream.sessions.length + 1
    const client = await connect('/v1/realtime?model=gpt-realtime')
    for (const message of sent) client.raw.send(message)
    const session = await upstream.session(count)
    await session.heard(sent.length)
    client.raw.close(1000, '')
  })
  gateway.set({ CaptureBodyMegabytes: before })
  const kept = capture?.frames?.filter(({ border }) => border === 'client-in')
  expect(kept?.map(({ data }) => data.length)).toEqual([600_000, 3])
})

test('a key that is written inside of a message stands in no capture of the session', async () => {
  const key = 'sk-voice-0123456789abcdef'
  play = () => {}
  const capture = await captureAfter(async () => {
    const count = upstream.sessions.length + 1
    const client = await connect('/v1/realtime?model=gpt-realtime')
    client.raw.send(JSON.stringify({ type: 'response.create', instructions: `Is ${key} mine?` }))
    const session = await upstream.session(count)
    await session.heard(1)
    session.socket.send(JSON.stringify({ type: 'error', error: { message: `Bad key ${key}.` } }))
    await client.heard(1)
    client.raw.close(1000, '')
  })
  expect(textsOf(capture, 'client-in')).toEqual([expect.stringContaining('"Is *** mine?"')])
  expect(textsOf(capture, 'upstream-in')).toEqual([expect.stringContaining('"Bad key ***."')])
  expect(capture?.frames?.map(({ data }) => data.toString()).join()).not.toContain(key)
})

test('of a response over a WebSocket the messages are captured as the vendor and the client saw them', async () => {
  play = () => {}
  const capture = await captureAfter(async () => {
    const count = upstream.sessions.length + 1
    const client = await connect('/v1/responses')
    client.raw.send('{"type":"response.create","model":"asked","input":"hi"}')
    const session = await upstream.session(count)
    await session.heard(1)
    const response = { id: 'r', model: 'real', usage: { input_tokens: 1, output_tokens: 1 } }
    session.socket.send(JSON.stringify({ type: 'response.created', response }))
    session.socket.send('{"type":"response.output_text.delta","delta":"Hi"}')
    session.socket.send(JSON.stringify({ type: 'response.completed', response }))
    await client.heard(3)
    client.raw.close(1000, '')
  })
  expect(textsOf(capture, 'client-in')[0]).toContain('"model":"asked"')
  expect(textsOf(capture, 'upstream-out')[0]).toContain('"model":"real"')
  expect(textsOf(capture, 'upstream-in')[0]).toContain('"model":"real"')
  expect(textsOf(capture, 'client-out')[0]).toContain('"model":"asked"')
  expect(textsOf(capture, 'client-out')[1]).toContain('"delta":"Hi"')
  expect(textsOf(capture, 'upstream-in')).toHaveLength(3)
})

const begin = (id: string) =>
  gateway.parts.captures.begin({
    ...{ id, receivedAt: 0, userId: 1, tokenId: 0, format: 'responses' },
    ...{ model: 'm', method: 'GET', url: '/', headers: [] },
  })

test('a session of long messages has its last one too', () => {
  const session = begin('long')
  session?.frame('upstream-in', Buffer.alloc(20_000, 'a'))
  session?.end(false)
  session?.frame('client-out', Buffer.from('the last'))
  expect(textsOf(gateway.parts.captures.find('long'), 'client-out')).toEqual(['the last'])
})

test('in a flood of calls, a session that goes to the disk has its last message too', async () => {
  const { captures } = gateway.parts
  gateway.set({ CaptureLevel: 'all' })
  for (let calls = 0; calls < 1000; calls++) begin(`flood ${calls}`)?.end(false)
  const session = begin('session')
  session?.frame('upstream-in', Buffer.from('the last'))
  session?.end(false)
  session?.frame('client-out', Buffer.from('the last, told'))
  await expect.poll(() => captures.newestOnDisk(1)).toEqual(['session'])
  gateway.set({ CaptureLevel: 'memory' })
  expect(textsOf(captures.find('session'), 'client-out')).toEqual(['the last, told'])
})
