import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { runningRow } from '../../../../main/manage/calls/running-calls.ts'
import { connectSocket } from '../../../support/clients/socket-client.ts'
import { type Reply, startUpstream } from '../../../support/upstreams/scripted-upstream.ts'
import { startSocketUpstream } from '../../../support/upstreams/socket-upstream.ts'
import { type Management, startManagement, type Visitor } from '../management.ts'
import { signInAs } from '../users/people.ts'
import { logRow, now, timelinePath } from './log-rows.ts'

const chunk = (delta: object) =>
  `data: ${JSON.stringify({
    ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'slow' },
    choices: [{ index: 0, delta, finish_reason: null }],
  })}\n\n`

/** The beginning of an answer that never ends. */
const BEGUN: Reply = {
  chunks: [chunk({ role: 'assistant', content: '' }), chunk({ content: 'One two three four' })],
  ending: 'hang',
}

async function until<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (let tries = 0; tries < 300; tries++) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('It has not come.')
}

async function start() {
  const management = await startManagement()
  const upstream = await startUpstream()
  onTestFinished(() => upstream.close())
  const { parts } = management.gateway
  const channel = parts.channels.create({
    ...{ type: 1, name: 'Slow one', key: 'k', baseUrl: upstream.url },
    ...{ models: ['slow'], groups: ['default'] },
  })
  const keyOf = (userId: number) =>
    `sk-${parts.tokens.create({ userId, name: `token of ${userId}`, unlimitedQuota: true }).key}`
  const call = (key: string, path: string, body: object) => {
    const answer = fetch(management.gateway.url + path, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        'anthropic-version': '2023-06-01',
      },
      body: JSON.stringify({ model: 'slow', messages: [{ role: 'user', content: 'hi' }], ...body }),
    })
    // Its failure is for who awaits it.
    answer.catch(() => {})
    return answer
  }
  return { ...management, upstream, channel, keyOf, call }
}

interface Row {
  request_id: string
  kind: string
  other: string
  [name: string]: unknown
}

const running = async (visitor: Visitor, q = 'running:yes'): Promise<Row[]> =>
  (await visitor.get(timelinePath({ q }))).body.data.rows

const firstRunning = (visitor: Visitor) => until(async () => (await running(visitor))[0])

const stop = (visitor: Visitor, requestId: string) =>
  visitor.send('POST', '/api/log/stop', { request_id: requestId })

const expectBlameless = ({ gateway }: Pick<Management, 'gateway'>, channelId: number) =>
  expect(gateway.parts.health.hasNoFailures(channelId)).toBe(true)

describe('a call under way', () => {
  test('is a row at the top that ticks, and gives way to its own at the end', async () => {
    const { owner, upstream, call, keyOf } = await start()
    upstream.script({ chunks: BEGUN.chunks ?? [], pause: 700 })
    const answer = call(keyOf(1), '/v1/chat/completions', { stream: true })
    const row = await firstRunning(owner)
    expect(row).toMatchObject({
      ...{ kind: 'running', id: 0, status: 0, type: 2, content: '', model_name: 'slow' },
      ...{ token_name: 'token of 1', is_stream: true },
    })
    expect(row.other).not.toContain('error_code')
    const later = await until(async () =>
      (await running(owner)).find(({ channel_name }) => channel_name === 'Slow one'),
    )
    expect(later.request_id).toBe(row.request_id)
    expect(Number(later.use_time_ms)).toBeGreaterThanOrEqual(Number(row.use_time_ms))
    expect((await owner.get(`/api/log/one/${row.request_id}`)).body.data).toMatchObject({
      kind: 'running',
    })
    await (await answer).text()
    const rows = await until(async () => {
      const found = await running(owner, 'slow')
      return found.some(({ kind }) => kind === 'call') ? found : undefined
    })
    expect(rows.map(({ request_id, kind }) => [request_id, kind])).toEqual([
      [row.request_id, 'call'],
    ])
    expect(await running(owner)).toEqual([])
  })

  test('is found by its text, for which no other call is searched', async () => {
    const { owner, upstream, call, keyOf, gateway } = await start()
    upstream.script(BEGUN)
    void call(keyOf(1), '/v1/chat/completions', { stream: true })
    const { request_id: id } = await firstRunning(owner)
    const search = vi.spyOn(gateway.parts.captures, 'search')
    const found = await until(async () => {
      const rows = await running(owner, 'text:"two three" running:yes')
      return rows.length > 0 ? rows : undefined
    })
    expect(found.map(({ request_id }) => request_id)).toEqual([id])
    expect(await running(owner, 'text:"no such words" running:yes')).toEqual([])
    expect(search).not.toHaveBeenCalled()
    expect(await running(owner, 'text:"two three"')).toMatchObject([{ request_id: id }])
    expect(search).toHaveBeenCalledOnce()
  })

  test('is found by the query, and is on the first page alone', async () => {
    const { owner, upstream, call, keyOf, gateway } = await start()
    const finished = await call(keyOf(1), '/v1/chat/completions', { model: 'none' })
    expect(finished.status).toBe(404)
    upstream.script(BEGUN)
    void call(keyOf(1), '/v1/chat/completions', { stream: true })
    await firstRunning(owner)
    expect(await running(owner, 'model:slow stream:yes')).toHaveLength(1)
    expect(await running(owner, 'model:other')).toEqual([])
    expect(await running(owner, 'model:slow running:no')).toEqual([])
    expect(await running(owner, '-model:slow type:call')).toMatchObject([{ kind: 'call' }])
    await gateway.parts.ledger.record(logRow('second', { createdAt: now + 2000 }))
    const first = (await owner.get(timelinePath({ limit: '1', q: 'type:call' }))).body.data
    expect(first.rows).toMatchObject([{ kind: 'running' }, { request_id: 'second' }])
    const { next: cursor } = first
    const { rows } = (await owner.get(timelinePath({ limit: '1', q: 'type:call', cursor }))).body
      .data
    expect(rows).toMatchObject([{ kind: 'call' }])
  })
})

describe('Stop', () => {
  test.each([
    ['/v1/chat/completions', {}, /"code":"call_stopped"/],
    ['/v1/messages', { max_tokens: 100 }, /event: error\ndata: .*"message":"The call was stopped/],
  ])('ends a stream of %s in its own format, and books what came', async (path, body, said) => {
    const gateway = await start()
    const { owner, upstream, call, keyOf, channel } = gateway
    upstream.script(BEGUN)
    const answer = call(keyOf(1), path, { stream: true, ...body })
    const row = await until(async () =>
      (await running(owner)).find(({ other }) => JSON.parse(other).frt !== undefined),
    )
    const stopped = await stop(owner, row.request_id)
    expect(stopped.status).toBe(200)
    expect(stopped.body.data).toMatchObject({
      ...{ kind: 'call', request_id: row.request_id, type: 2, status: 200 },
      content: 'The call was stopped in the console.',
    })
    expect(stopped.body.data.completion_tokens).toBeGreaterThan(0)
    expect(JSON.parse(stopped.body.data.other)).toMatchObject({
      ...{ error_code: 'call_stopped', estimated: true },
    })
    const text = await (await answer).text()
    expect(text).toContain('One two three four')
    expect(text).toMatch(said)
    expect(await upstream.last().ended).toBe('gone')
    expectBlameless(gateway, channel.id)
    expect(await running(owner, 'cut:yes')).toMatchObject([{ request_id: row.request_id }])
  })

  test('ends a call whose answer has not begun; the client is told not to try again', async () => {
    const gateway = await start()
    const { owner, upstream, call, keyOf, channel } = gateway
    upstream.script({ ending: 'hang-before-headers' })
    const answer = call(keyOf(1), '/v1/chat/completions', {})
    await until(async () => upstream.requests[0])
    const row = await firstRunning(owner)
    const { data } = (await stop(owner, row.request_id)).body
    expect(data).toMatchObject({ kind: 'call', type: 5, status: 499, quota: 0 })
    const other = JSON.parse(data.other)
    expect(other).toMatchObject({ error_code: 'call_stopped' })
    // That is of clients that leave.
    expect(other).not.toHaveProperty('cancelled')
    expect(other.admin_info.route.attempts).toMatchObject([{ after: 'stopped' }])
    const response = await answer
    expect(response.status).toBe(499)
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(await response.json()).toMatchObject({ error: { code: 'call_stopped' } })
    expect(upstream.requests).toHaveLength(1)
    expectBlameless(gateway, channel.id)
  })

  test('of a call that has ended says so', async () => {
    const { owner } = await start()
    const { status, body } = await stop(owner, 'nothing')
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' })
    expect(body.message).toContain('"nothing" is running')
  })

  test('is for the caller’s own calls, and for administrators any', async () => {
    const gateway = await start()
    const { owner, upstream, call, keyOf } = gateway
    const bob = await signInAs(gateway, { username: 'bob', quota: 500_000 })
    upstream.script(BEGUN, BEGUN)
    void call(keyOf(1), '/v1/chat/completions', { stream: true })
    const { request_id: owners } = await firstRunning(owner)
    expect(await running(bob)).toEqual([])
    expect((await stop(bob, owners)).status).toBe(404)
    expect((await bob.get(`/api/log/one/${owners}`)).status).toBe(404)
    expect(await running(owner)).toHaveLength(1)
    void call(keyOf(bob.id), '/v1/chat/completions', { stream: true })
    const own = await firstRunning(bob)
    expect(own).toMatchObject({ channel_name: '', other: expect.not.stringContaining('admin') })
    expect((await stop(bob, own.request_id)).body.data).toMatchObject({ channel_name: '' })
    expect((await stop(owner, owners)).status).toBe(200)
    expect(await running(owner)).toEqual([])
  })

  test('ends one response of a WebSocket, and the connection stays good', async () => {
    const { owner, gateway, keyOf } = await start()
    const upstream = await startSocketUpstream()
    onTestFinished(() => upstream.close())
    gateway.parts.channels.create({
      ...{ type: 1, name: 'Sockets', key: 'k', baseUrl: upstream.url, models: ['m'] },
      ...{ groups: ['default'], settings: { endpoint_types: ['openai-response'] } },
    })
    const headers = { authorization: `Bearer ${keyOf(1)}` }
    const client = await connectSocket(gateway.url, '/v1/responses', { headers })
    const ask = { type: 'response.create', model: 'm', input: 'hi' }
    client.say(ask)
    const first = await upstream.session(1)
    await first.heard(1)
    const { request_id: id } = await firstRunning(owner)
    expect((await stop(owner, id)).body.data).toMatchObject({ kind: 'call', request_id: id })
    expect(await client.event('error')).toMatchObject({ error: { code: 'call_stopped' } })
    await first.ended
    client.say(ask)
    const second = await upstream.session(2)
    await second.heard(1)
    const last = { type: 'response.completed', response: { id: 'r', usage: { output_tokens: 3 } } }
    second.socket.send(JSON.stringify(last))
    expect(await client.event('response.completed')).toEqual(last)
    client.raw.close()
  })

  test('ends a realtime session on both sides', async () => {
    const { owner, gateway, keyOf } = await start()
    const upstream = await startSocketUpstream()
    onTestFinished(() => upstream.close())
    gateway.parts.channels.create({
      ...{ type: 1, name: 'Sockets', key: 'k', baseUrl: upstream.url, models: ['m'] },
      ...{ groups: ['default'], settings: { endpoint_types: ['realtime'] } },
    })
    const headers = { authorization: `Bearer ${keyOf(1)}` }
    const client = await connectSocket(gateway.url, '/v1/realtime?model=m', { headers })
    const session = await upstream.session(1)
    const { request_id: id } = await firstRunning(owner)
    const { data } = (await stop(owner, id)).body
    expect(JSON.parse(data.other)).toMatchObject({ error_code: 'call_stopped' })
    expect(await client.event('error')).toMatchObject({ error: { code: 'call_stopped' } })
    await Promise.all([client.ended, session.ended])
  })
})

test('the time of a running call is the second of its arrival, whenever it is read', () => {
  const arrival = 1_790_000_000_600
  const clock = vi.spyOn(Date, 'now')
  onTestFinished(() => clock.mockRestore())
  const read = [300, 400, 600, 900, 1400, 1600].map((useTime) => {
    clock.mockReturnValue(arrival + useTime)
    const row = logRow('one', { useTime })
    return runningRow({ soFar: () => ({ row, reserved: 0 }) }).createdAt
  })
  expect(new Set(read)).toEqual(new Set([1_790_000_000]))
})
