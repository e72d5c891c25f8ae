import { describe, expect, onTestFinished, test } from 'vitest'
import type { RouteNote } from '../../../../main/relay/call/route-note.ts'
import { connectSocket, refusedUpgrade } from '../../../support/clients/socket-client.ts'
import { startTestGateway, type TestGateway } from '../../../support/gateway/start-test-gateway.ts'
import {
  type SocketUpstream,
  startSocketUpstream,
} from '../../../support/upstreams/socket-upstream.ts'

const PATH = '/v1/realtime?model=gpt-realtime'
const limited = (seconds: number) => ({
  status: 429,
  body: { error: { message: 'Too many sessions.', code: 'rate_limit_exceeded' } },
  headers: { 'retry-after': String(seconds) },
})

interface Stage {
  gateway: TestGateway
  upstream: SocketUpstream
  /** Keys that the upstream was called with. */
  asked(): string[]
  headers: Record<string, string>
}

async function startStage(): Promise<Stage> {
  const gateway = await startTestGateway()
  const upstream = await startSocketUpstream()
  onTestFinished(async () => {
    await gateway.close()
    await upstream.close()
  })
  const fields = {
    type: 1,
    baseUrl: upstream.url,
    models: ['gpt-realtime'],
    settings: { endpoint_types: ['openai', 'realtime', 'openai-response'] },
  }
  gateway.addChannel({ ...fields, name: 'first', key: 'key-of-first', priority: 1 })
  gateway.addChannel({ ...fields, name: 'second', key: 'key-of-second' })
  return {
    gateway,
    upstream,
    asked: () =>
      upstream.upgrades.map(({ headers }) =>
        String(headers.authorization).replace('Bearer key-of-', ''),
      ),
    headers: { authorization: `Bearer ${gateway.key}` },
  }
}

const routeOf = (row: { other: string } | undefined): RouteNote =>
  JSON.parse(row?.other ?? '{}').admin_info.route

describe('a session finds its channel as every call does', () => {
  test('a channel that is limited is passed over, in this session and in the next', async () => {
    const { gateway, upstream, asked, headers } = await startStage()
    upstream.refuse(limited(300))
    for (let times = 0; times < 2; times++) {
      const client = await connectSocket(gateway.url, PATH, { headers })
      client.raw.close()
      await client.ended
    }
    expect(asked()).toEqual(['first', 'second', 'second'])
    const rows = await gateway.rowsWhen(2)
    expect(routeOf(rows[1])).toMatchObject({
      candidates: [{ name: 'first' }, { name: 'second' }],
      attempts: [{ status: 429, message: 'Too many sessions.', after: 'next' }, { status: 101 }],
    })
    expect(routeOf(rows[0]).candidates[1]).toMatchObject({ name: 'first', why: 'rate_limited' })
  })

  test('when all are limited the upgrade is refused with the hint, and nobody is asked', async () => {
    const { gateway, upstream, asked, headers } = await startStage()
    upstream.refuse(limited(300), limited(60))
    expect((await refusedUpgrade(gateway.url, PATH, headers)).status).toBe(429)
    const refused = await refusedUpgrade(gateway.url, PATH, headers)
    expect(refused.status).toBe(429)
    expect(refused.json.error.code).toBe('channels_rate_limited')
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(asked()).toEqual(['first', 'second'])
  })

  test('an upstream that breaks sessions off is asked last after a while', async () => {
    const { gateway, upstream, asked, headers } = await startStage()
    gateway.set({ ChannelFailureCount: 2 })
    for (let times = 1; times <= 3; times++) {
      const client = await connectSocket(gateway.url, PATH, { headers })
      const session = await upstream.session(times)
      if (times < 3) session.socket.terminate()
      else client.raw.close()
      await client.ended
      await gateway.rowsWhen(times)
    }
    expect(asked()).toEqual(['first', 'first', 'second'])
  })

  test('a vendor without WebSockets is none the worse over HTTP', async () => {
    const { gateway, upstream, headers } = await startStage()
    gateway.set({ ChannelFailureCount: 1 })
    const noSocket = { status: 404, body: { error: { message: 'Not found.' } } }
    upstream.refuse(noSocket, noSocket)
    await refusedUpgrade(gateway.url, PATH, headers)
    for (const { id, name } of gateway.parts.channels.all()) {
      const circuit = gateway.parts.health.ofChannel({ id }, [`key-of-${name}`], 'gpt-realtime')
      expect(circuit.state).toBe('closed')
    }
  })
})
