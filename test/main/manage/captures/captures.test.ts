import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Capture } from '../../../../main/capture/capture.ts'
import { captureCall, keepCaptures } from '../../../support/captures/capture-call.ts'
import { modelOf, type Pair, startPair } from '../../../support/gateway/pair.ts'
import { recordedAnswerStreams } from '../../../support/recordings/recorded-exchanges.ts'
import { type Management, startManagement, type Visitor } from '../management.ts'
import { signInAs } from '../users/people.ts'

const found = recordedAnswerStreams.find(
  ({ name }) => name === 'openai-chat/tool-call-stream-turn2.response.sse',
)
const chunks = (found?.bytes.toString().match(/[\s\S]*?\n\n/g) ?? []).map((one) => Buffer.from(one))

let pair: Pair
/** A streamed Messages call that went to a Chat vendor. */
let capture: Capture
/** As the log keeps them of it. */
let other: string
beforeAll(async () => {
  pair = await startPair()
  capture = await captureCall(pair, {
    format: 'messages',
    path: '/v1/messages',
    body: {
      model: modelOf.chat,
      max_tokens: 50,
      top_k: 5,
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
    },
    model: modelOf.chat,
    upstream: 'chat',
    replies: [{ chunks }],
  })
  await pair.gateway.rowsWhen(1)
  other = pair.rowsOf(capture.id)[0]?.other ?? ''
})
afterAll(() => pair.close())

/** A gateway with this capture, its row in the log, and those of a user. */
async function withCapture(): Promise<Management> {
  const management = await startManagement()
  const { parts } = management.gateway
  await parts.ledger.record({
    ...(pair.rowsOf(capture.id)[0] as ReturnType<Pair['rowsOf']>[0]),
    other,
  })
  keepCaptures(management, [capture])
  return management
}

const at = (path = '', id = capture.id) => `/api/captures/${id}${path}`

describe('a captured call', () => {
  test('is shown with its borders, times from its arrival, and no key', async () => {
    const { owner } = await withCapture()
    const { status, body } = await owner.get(at())
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      id: capture.id,
      format: 'messages',
      source: 'memory',
      client: {
        request: { method: 'POST', url: '/v1/messages', body: { kind: 'json', is_whole: true } },
        answer: { status: 200, is_cut: false, body: { kind: 'events', same_as: null } },
      },
      exchanges: [{ format: 'chat', failure: null, answer: { body: { kind: 'events' } } }],
      frames: null,
    })
    expect(JSON.stringify(body)).not.toContain(pair.gateway.key)
    expect(JSON.stringify(body)).not.toContain('vendor-key')
  })

  test('gives each body in parts, and names the borders that there are', async () => {
    const { owner } = await withCapture()
    const whole = await owner.get(at('/body?border=exchange.0.answer'))
    expect(whole.body.data).toEqual({
      text: Buffer.concat(chunks).toString(),
      base64: null,
      next: null,
    })
    const rest = await owner.get(at('/body?border=exchange.0.answer&offset=100'))
    expect(rest.body.data.text).toBe(whole.body.data.text.slice(100))
    const wrong = await owner.get(at('/body?border=exchange.7.answer'))
    expect(wrong.status).toBe(400)
    expect(wrong.body).toMatchObject({
      field: 'border',
      message: expect.stringContaining('It has client.request, client.answer, exchange.0.request'),
    })
  })

  test('compares both sides, each loss at its path', async () => {
    const { owner } = await withCapture()
    const { data } = (await owner.get(at('/diff?side=request'))).body
    expect(data.losses).toContainEqual({
      path: 'top_k',
      kind: 'dropped',
      note: 'this model refuses it',
      reason: { code: 'model_refuses' },
      is_placed: true,
    })
    expect(data.changes).toContainEqual({
      path: 'top_k',
      kind: 'removed',
      from: '5',
      to: null,
      loss: {
        ...{ kind: 'dropped', note: 'this model refuses it' },
        reason: { code: 'model_refuses' },
      },
    })
    expect(data.changes).toContainEqual(
      expect.objectContaining({ path: 'messages[0]', kind: 'added' }),
    )
    const answer = await owner.get(at('/diff?side=answer&exchange=0'))
    expect(answer.body.data.changes).toEqual([])
    const wrong = await owner.get(at('/diff?side=answer&exchange=3'))
    expect(wrong.body).toMatchObject({
      field: 'exchange',
      message: 'There is no attempt 3: this call has 1, counted from 0.',
    })
  })

  test('lists the events of both streams with their times, and which became which', async () => {
    const { owner } = await withCapture()
    const { data } = (await owner.get(at('/events'))).body
    expect(data.upstream).toHaveLength(chunks.length)
    const words = (list: { text: string }[]) => list.map(({ text }) => text).join('')
    expect(words(data.client)).toBe(words(data.upstream))
    expect(data.client.some(({ event }: { event: string }) => event === 'message_start')).toBe(true)
    expect(data.links.length).toBeGreaterThan(3)
    expect(data.upstream[0].at).toBeLessThan(data.upstream.at(-1).at)
  })

  test('is read as a conversation', async () => {
    const { owner } = await withCapture()
    const { data } = (await owner.get(at('/reading'))).body
    expect(data.problem).toBe(null)
    expect(data.input).toEqual([
      { role: 'system', kind: 'text', text: 'Be brief.' },
      { role: 'user', kind: 'text', text: 'Hi' },
    ])
    expect(data.output).toHaveLength(1)
  })

  test('is written in every format, as is any pasted JSON', async () => {
    const { owner } = await withCapture()
    const { formats } = (await owner.get(at('/formats'))).body.data
    expect(formats.map(({ format }: { format: string }) => format)[0]).toBe('messages')
    expect(formats).toHaveLength(4)
    const sent = { format: 'messages', body: formats[0].body }
    const pasted = await owner.send('POST', '/api/captures/convert', sent)
    expect(pasted.body.data.formats).toEqual(formats)
    const wrong = await owner.send('POST', '/api/captures/convert', { format: 'chat', body: '[' })
    expect(wrong.status).toBe(400)
    expect(wrong.body).toMatchObject({ field: 'body' })
    const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    const refused = await owner.send('POST', '/api/captures/convert', {
      format: 'chat',
      body: deep,
    })
    expect(refused.status).toBe(400)
    expect(refused.body.message).toMatch(/not valid JSON: unexpected "\[" at position/)
  })

  test('is exported, alone and with others', async () => {
    const { owner, gateway } = await withCapture()
    const { data } = (await owner.get(at('/export?as=curl'))).body
    expect(data).toMatchObject({ name: `call-${capture.id}.sh`, media_type: 'text/x-shellscript' })
    expect(data.text).toContain(`'${gateway.url}/v1/messages'`)
    gateway.parts.settings.update({ ServerAddress: 'https://models.example.com' })
    const public_ = await owner.get(at('/export?as=http'))
    expect(public_.body.data.text).toContain('@baseUrl = https://models.example.com\n')
    const ids = [capture.id, 'gone', capture.id]
    const archive = await owner.send('POST', '/api/captures/har', { ids })
    const { log } = JSON.parse(archive.body.data.text)
    expect(log.entries).toHaveLength(2)
    expect(log.comment).toBe('1 more call has no capture any more.')
    const none = await owner.send('POST', '/api/captures/har', { ids: ['gone'] })
    expect(none.status).toBe(404)
  })

  test('that is gone says why, at every path', async () => {
    const { owner } = await withCapture()
    const paths = ['', '/body?border=client.request', '/diff?side=request', '/events', '/reading']
    for (const path of [...paths, '/formats', '/export?as=har']) {
      const { status, body } = await owner.get(at(path, 'other'))
      expect(status).toBe(404)
      expect(body).toMatchObject({
        code: 'not_found',
        message: expect.stringContaining('restarted'),
      })
    }
  })
})

test('an archive of many calls says how many are in it, and how many have no capture', async () => {
  const { owner } = await withCapture()
  const { body } = await owner.send('POST', '/api/captures/har', { ids: [capture.id, 'none'] })
  expect(body.data).toMatchObject({ calls: 1, gone: 1, left_out: 0 })
  expect(JSON.parse(body.data.text).log).toMatchObject({
    ...{ version: '1.2', comment: '1 more call has no capture any more.' },
    pages: [{ id: capture.id }],
  })
})

test('a burst says at which second it ends, and none is left of one that was ended', async () => {
  const { owner } = await startManagement()
  const burstUntil = async () => (await owner.get('/api/captures')).body.data.burst_until
  const from = Date.now()
  await owner.send('POST', '/api/captures/burst', { minutes: 10 })
  const until = await burstUntil()
  expect(until).toBeGreaterThanOrEqual(from / 1000 + 600)
  expect(until).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 600)
  await owner.send('POST', '/api/captures/burst', { minutes: 0 })
  expect(await burstUntil()).toBeNull()
})

test('a burst ends after its minutes though the clock was set back', async () => {
  const { owner } = await startManagement()
  const burstUntil = async () => (await owner.get('/api/captures')).body.data.burst_until
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  await owner.send('POST', '/api/captures/burst', { minutes: 10 })
  vi.setSystemTime(Date.now() - 3_600_000)
  vi.advanceTimersByTime(9 * 60_000)
  expect(await burstUntil()).not.toBeNull()
  vi.advanceTimersByTime(60_000)
  expect(await burstUntil()).toBeNull()
})

describe('who sees captures', () => {
  async function people() {
    const management = await withCapture()
    const admin = await signInAs(management, { username: 'grace', role: 10 })
    const other = await signInAs(management, { username: 'bob', role: 1 })
    const caller = await signInAs(management, { username: 'eve', role: 1 })
    keepCaptures(management, [{ ...capture, userId: caller.id }])
    return { ...management, admin, other, caller }
  }
  const read = async (visitor: Visitor, path = '') => (await visitor.get(at(path))).status

  test('administrators do, users do not while the owner has not said so', async () => {
    const { owner, admin, other, caller } = await people()
    expect([await read(owner), await read(admin)]).toEqual([200, 200])
    expect([await read(other), await read(caller)]).toEqual([403, 403])
    const { body } = await caller.get(at('/export?as=har'))
    expect(body.message).toContain('CaptureForUsers')
  })

  test('the list of calls tells users which of theirs they can look into, if any', async () => {
    const { gateway, caller, other } = await people()
    const [row] = pair.rowsOf(capture.id) as [ReturnType<Pair['rowsOf']>[0]]
    for (const { id } of [caller, other])
      await gateway.parts.ledger.record({ ...row, other: '{}', userId: id, requestId: `of ${id}` })
    keepCaptures({ gateway }, [{ ...capture, id: `of ${caller.id}`, userId: caller.id }])
    const shown = async (person: Visitor & { id: number }) => {
      const list = await person.get('/api/log/timeline')
      const one = await person.get(`/api/log/one/${encodeURIComponent(`of ${person.id}`)}`)
      return [...list.body.data.rows, one.body.data].map(({ has_capture: has }) => has)
    }
    expect(await shown(caller)).toEqual([false, false])
    gateway.parts.settings.update({ CaptureForUsers: true })
    expect(await shown(caller)).toEqual([true, true])
    expect(await shown(other)).toEqual([false, false])
  })

  test('then users see their own calls alone, and nothing of channels', async () => {
    const { gateway, admin, other, caller } = await people()
    gateway.parts.settings.update({ CaptureForUsers: true })
    expect([await read(admin), await read(other), await read(caller)]).toEqual([200, 404, 200])
    const { body } = await caller.get(at())
    expect(body.data.exchanges).toEqual([])
    const archive = await caller.send('POST', '/api/captures/har', { ids: [capture.id] })
    expect(archive.body.data.text).not.toContain(pair.upstream.url)
    expect(archive.body.data.text).not.toContain('chat vendor')
    expect(await read(caller, '/body?border=exchange.0.request')).toBe(400)
    const diff = await caller.get(at('/diff?side=request'))
    expect(diff.status).toBe(409)
    expect((await other.send('POST', '/api/captures/har', { ids: [capture.id] })).status).toBe(404)
  })

  test('of a WebSocket session they see their own messages, and none to or from the vendor', async () => {
    const { gateway, owner, caller } = await people()
    gateway.parts.settings.update({ CaptureForUsers: true })
    const borders = ['client-in', 'upstream-out', 'upstream-in', 'client-out'] as const
    const frames = borders.map((border) => ({
      ...{ at: 1, border, isBinary: false, data: Buffer.from(`{"at":"${border}"}`) },
    }))
    keepCaptures({ gateway }, [{ ...capture, userId: caller.id, frames }])
    const shown = async (person: Visitor) =>
      (await person.get(at())).body.data.frames.map(({ text }: { text: string }) => text)
    expect(await shown(owner)).toHaveLength(4)
    expect(await shown(caller)).toEqual(['{"at":"client-in"}', '{"at":"client-out"}'])
    const archive = await caller.send('POST', '/api/captures/har', { ids: [capture.id] })
    expect(archive.body.data.text).not.toContain('upstream-')
  })
})
