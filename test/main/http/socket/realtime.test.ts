import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectSocket } from '../../../support/clients/socket-client.ts'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import { readFixture } from '../../../support/recordings/fixtures.ts'
import {
  type HeardSession,
  type SocketUpstream,
  startSocketUpstream,
} from '../../../support/upstreams/socket-upstream.ts'

let gateway: TestGateway
let upstream: SocketUpstream
/** Plays the upstream in the session that a test opens. */
let play: (session: HeardSession) => void = () => {}

const model = 'gpt-realtime'
const path = `/v1/realtime?model=${model}`
const connect = (where = path, headers: Record<string, string> = {}) =>
  connectSocket(gateway.url, where, {
    headers: { authorization: `Bearer ${gateway.key}`, ...headers },
  })

beforeAll(async () => {
  gateway = await startTestGateway()
  upstream = await startSocketUpstream({
    onSession: (session) => play(session),
    headers: { 'x-request-id': 'req_vendor', 'set-cookie': 'a=b' },
  })
  gateway.addChannel({
    type: 1,
    name: 'vendor',
    baseUrl: upstream.url,
    models: [model],
    settings: { endpoint_types: ['openai', 'realtime'] },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

async function rowAfter(run: () => Promise<unknown>) {
  const before = gateway.rows().length
  await run()
  const rows = await gateway.rowsWhen(before + 1)
  expect(rows).toHaveLength(before + 1)
  const row = rows[0]
  if (!row) throw new Error('No row.')
  return { ...row, other: JSON.parse(row.other) }
}

/** The recorded session, as one message a line. */
const recorded = readFixture('openai-realtime/text-in-audio-out.jsonl')
  .toString('utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { direction: 'sent' | 'received'; data: object })
const of = (direction: 'sent' | 'received') =>
  recorded.filter((one) => one.direction === direction).map(({ data }) => JSON.stringify(data))

describe('a session', () => {
  test('passes a recorded conversation both ways byte by byte, and books its usage', async () => {
    play = (session) => {
      for (const frame of of('received')) session.socket.send(frame)
    }
    const row = await rowAfter(async () => {
      const client = await connect()
      for (const frame of of('sent')) client.raw.send(frame)
      await client.heard(of('received').length)
      expect(client.frames.map(({ data }) => String(data))).toEqual(of('received'))
      const session = upstream.sessions.at(-1) as HeardSession
      const heard = await session.heard(of('sent').length)
      expect(heard.map(({ data }) => String(data))).toEqual(of('sent'))
      client.raw.close(1000, 'done')
      expect(await session.ended).toEqual({ code: 1000, reason: 'done' })
    })
    expect(row).toMatchObject({
      status: 101,
      type: 2,
      model,
      promptTokens: 16,
      completionTokens: 24,
      isStream: true,
      other: {
        wire_format: 'realtime',
        responses: 1,
        audio_output: 15,
        request_path: '/v1/realtime',
      },
    })
    expect(row.content).toBe('')
  })

  test('shows the vendor its own key and nothing of the client’s', async () => {
    play = () => {}
    const client = await connect(`${path}&key=${gateway.key}&voice=alloy`, {
      'openai-beta': 'realtime=v1',
      cookie: 'session=1',
    })
    const session = upstream.sessions.at(-1) as HeardSession
    expect(session.url).toBe(`/v1/realtime?voice=alloy&model=${model}`)
    expect(session.headers).toMatchObject({
      authorization: 'Bearer vendor-key',
      'openai-beta': 'realtime=v1',
    })
    expect(JSON.stringify(session.headers)).not.toContain(gateway.key)
    expect(session.headers.cookie).toBeUndefined()
    expect(session.headers['sec-websocket-protocol']).toBeUndefined()
    expect(session.headers['sec-websocket-extensions']).toBeUndefined()
    expect(client.headers['x-request-id']).toBe('req_vendor')
    expect(client.headers['x-oneapi-request-id']).toMatch(/^\d{14}/)
    expect(client.headers['set-cookie']).toBeUndefined()
    client.raw.close()
    await session.ended
  })
})
