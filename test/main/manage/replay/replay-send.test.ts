import { describe, expect, test } from 'vitest'
import { createConsoleCalls } from '../../../../main/desktop/console-calls.ts'
import type { StreamEvent } from '../../../../preload/contract.ts'
import { formats } from '../../../support/strict/loops/stage.ts'
import { bytesOf, callOf, startReplays } from './replay-stage.ts'

describe.each(formats)('a call in %s', (format) => {
  test.each(['whole', 'streamed'])('is replayed %s, booked and linked to it', async (way) => {
    const stage = await startReplays()
    stage.addVendor(format)
    const { path, body } = callOf[format](`to-${format}`, way === 'streamed')
    const sent = JSON.stringify(body, null, 1)
    const original = await stage.ask(path, sent)
    expect(original.status).toBe(200)
    const first = stage.upstream.last()

    const again = await stage.replay({ capture: original.id })
    const second = stage.upstream.last()
    expect(stage.upstream.requests).toHaveLength(2)
    expect(again.status).toBe(200)
    expect(second.url).toBe(first.url)
    expect(second.body.equals(first.body)).toBe(true)
    expect(again.headers.get('content-type')).toBe(original.headers.get('content-type'))
    expect(again.text).toBe(original.text)

    const id = again.headers.get('x-switchyard-replay') ?? ''
    expect(id).not.toBe(original.id)
    const [row, before] = [stage.rowOf(id), stage.rowOf(original.id)]
    expect(row).toMatchObject({
      ...{ username: 'ada', tokenId: 0, tokenName: 'replay', status: 200 },
      ...{ model: `to-${format}`, isStream: way === 'streamed', type: 2 },
      promptTokens: before.promptTokens,
      completionTokens: before.completionTokens,
      quota: before.quota,
    })
    expect(JSON.parse(row.other)).toMatchObject({
      replay_of: original.id,
      request_path: path.split('?')[0],
      wire_format: format,
    })
    const capture = stage.gateway.parts.captures.find(id)
    expect(capture?.client.request.url).toBe(path)
    expect(bytesOf(capture?.client.request.body ?? expect.fail('no capture'))).toBe(sent)
  })

  test('is replayed as a stream where it was whole, and the other way round', async () => {
    const stage = await startReplays()
    stage.addVendor(format)
    for (const stream of [true, false]) {
      const { path, body } = callOf[format](`to-${format}`, !stream)
      const original = await stage.ask(path, body)
      const again = await stage.replay({ capture: original.id, stream })
      expect(again.status).toBe(200)
      const isStream = again.headers.get('content-type')?.includes('event-stream')
      expect(isStream).toBe(stream)
      expect(stage.rowOf(again.headers.get('x-switchyard-replay') ?? '').isStream).toBe(stream)
    }
  })

  test('is replayed on another channel with another model, all else as it was', async () => {
    const stage = await startReplays()
    stage.addVendor(format)
    const other = stage.addVendor(format, { name: 'B', models: ['other/model'] })
    const { path, body } = callOf[format](`to-${format}`, false)
    const original = await stage.ask(path, body)
    const again = await stage.replay({
      capture: original.id,
      channel: other.id,
      model: 'other/model',
    })
    expect(again.status).toBe(200)
    const row = stage.rowOf(again.headers.get('x-switchyard-replay') ?? '')
    expect(row).toMatchObject({ channelId: other.id, channelName: 'B', model: 'other/model' })
    const { url, body: sent } = stage.upstream.last()
    const told = decodeURIComponent(url) + sent.toString()
    expect(told).toContain('other/model')
    expect(told).not.toContain(`to-${format}`)
    expect(told).toContain('Größe')
  })
})

test('an edited body is what the vendor gets, its numbers as they were written', async () => {
  const stage = await startReplays()
  stage.addVendor('chat')
  const { path, body } = callOf.chat('to-chat', false)
  const original = await stage.ask(path, body)
  const edited = `{"model":"to-chat","seed":12345678901234567890,"messages":[{"role":"user","content":"Short?"}]}`
  expect((await stage.replay({ capture: original.id, body: edited })).status).toBe(200)
  expect(stage.upstream.last().body.toString()).toBe(edited)
  const asObject = { model: 'to-chat', messages: [{ role: 'user', content: 'Object?' }] }
  expect((await stage.replay({ capture: original.id, body: asObject })).status).toBe(200)
  expect(stage.upstream.last().json()).toEqual(asObject)
})

test('headers that change the meaning go along; keys, sessions and idempotency keys do not', async () => {
  const stage = await startReplays()
  stage.addVendor('messages')
  const { path, body } = callOf.messages('to-messages', false)
  const original = await stage.ask(path, body, {
    'anthropic-beta': 'context-1m-2025-08-07',
    'idempotency-key': 'once-only',
    'x-claude-code-session-id': 'session-77',
    cookie: 'mine=1',
  })
  expect(stage.upstream.last().headers['idempotency-key']).toBe('once-only')
  expect((await stage.replay({ capture: original.id })).status).toBe(200)
  const { headers } = stage.upstream.last()
  expect(headers).toMatchObject({
    'anthropic-beta': 'context-1m-2025-08-07',
    'anthropic-version': '2023-06-01',
    'x-api-key': 'vendor-key',
  })
  expect(JSON.stringify(headers)).not.toMatch(/once-only|session-77|mine=1|\[removed\]/)
})

test('a replay can be replayed, and a call of the playground too', async () => {
  const stage = await startReplays()
  stage.addVendor('chat')
  const messages = [{ role: 'user', content: 'Größe?' }]
  const asked = await stage.owner.send('POST', '/pg/chat/completions', {
    model: 'to-chat',
    messages,
  })
  const first = await stage.replay({ capture: asked.headers.get('x-oneapi-request-id') })
  expect(first.status).toBe(200)
  const second = await stage.replay({ capture: first.id })
  expect(second.status).toBe(200)
  expect(JSON.parse(stage.rowOf(second.id).other).replay_of).toBe(first.id)
})

test('a replay that is cancelled ends the vendor’s call too', async () => {
  const stage = await startReplays()
  stage.addVendor('chat')
  const { path, body } = callOf.chat('to-chat', true)
  const original = await stage.ask(path, body)
  stage.upstream.script({
    headers: { 'content-type': 'text/event-stream' },
    chunks: ['data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n'],
    ending: 'hang',
  })
  const controller = new AbortController()
  const response = await fetch(`${stage.gateway.url}/api/replays`, {
    method: 'POST',
    headers: { cookie: stage.owner.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ capture: original.id }),
    signal: controller.signal,
  })
  const id = response.headers.get('x-switchyard-replay') ?? ''
  controller.abort()
  expect(await stage.upstream.last().ended).toBe('gone')
  await expect.poll(() => stage.rowOf(id).status).toBe(499)
})

test('the desktop’s window gets the new call’s id', async () => {
  const stage = await startReplays()
  stage.addVendor('chat')
  const { path, body } = callOf.chat('to-chat', false)
  const original = await stage.ask(path, body)
  const [start] = await new Promise<StreamEvent[]>((resolve) => {
    const events: StreamEvent[] = []
    const input = { capture: original.id }
    createConsoleCalls(stage.gateway.parts).stream(1, 'replay.send', input, (event) => {
      events.push(event)
      if (event.type === 'end' || event.type === 'error') resolve(events)
    })
  })
  expect(start).toMatchObject({ type: 'start', status: 200 })
  const { headers } = start as Extract<StreamEvent, { type: 'start' }>
  const row = stage.rowOf(headers['x-switchyard-replay'] ?? '')
  expect(JSON.parse(row.other).replay_of).toBe(original.id)
})

test('a call by a route’s name goes by the route again', async () => {
  const stage = await startReplays()
  stage.addVendor('chat')
  const target = { model: 'to-chat', channelId: null, tag: null, weight: 0 }
  stage.gateway.parts.routes.create({ name: 'best', targets: [target] })
  const { path, body } = callOf.chat('best', false)
  const original = await stage.ask(path, body)
  const again = await stage.replay({ capture: original.id })
  expect(again.status).toBe(200)
  const { admin_info } = JSON.parse(
    stage.rowOf(again.headers.get('x-switchyard-replay') ?? '').other,
  )
  expect(admin_info.route.named).toEqual({ name: 'best' })
})

test('a streamed call is replayed whole without the options of a stream, which OpenAI refuses then', async () => {
  const stage = await startReplays()
  stage.addVendor('chat')
  const { path, body } = callOf.chat('to-chat', true)
  const original = await stage.ask(path, { ...body, stream_options: { include_usage: true } })
  expect((await stage.replay({ capture: original.id, stream: false })).status).toBe(200)
  const sent = stage.upstream.last().json() as Record<string, unknown>
  expect([sent.stream, sent.stream_options ?? null]).toEqual([false, null])
})
