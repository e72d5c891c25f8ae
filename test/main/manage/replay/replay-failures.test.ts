import { describe, expect, test, vi } from 'vitest'
import { logRow } from '../calls/log-rows.ts'
import { callOf, type ReplayStage, startReplays } from './replay-stage.ts'

interface Failed {
  request_id: string
  model: string
  status: number
  error_code: string
  message: string
  channel_name: string
  reason: string | null
}

const listOf = async ({ owner }: ReplayStage, limit = 10): Promise<Failed[]> =>
  (await owner.get(`/api/replays/failures?limit=${limit}`)).body.data.failures

const failing = { status: 400, body: { error: { message: 'No such tool.' } } }

describe('the newest failures', () => {
  test('are listed with the reason why some can’t be replayed, replays, tests and successes left out', async () => {
    const stage = await startReplays()
    stage.addVendor('chat')
    const { path, body } = callOf.chat('to-chat', false)
    await stage.ask(path, body)
    stage.upstream.script(failing, failing)
    stage.gateway.parts.settings.update({ CaptureLevel: 'off' })
    const lost = await stage.ask(path, body)
    stage.gateway.parts.settings.update({ CaptureLevel: 'memory' })
    const kept = await stage.ask(path, body)
    stage.upstream.script(failing, failing)
    await stage.replay({ capture: kept.id })
    const [vendor] = stage.gateway.parts.channels.all()
    expect((await stage.owner.get(`/api/channel/test/${vendor?.id}`)).body.success).toBe(false)

    const failures = await listOf(stage)
    expect(failures.map(({ request_id: id }) => id)).toEqual([kept.id, lost.id])
    expect(failures[0]).toMatchObject({
      ...{ model: 'to-chat', status: 400, channel_name: 'chat vendor', reason: null },
      message: expect.stringContaining('No such tool.'),
    })
    expect(failures[1]?.reason).toMatch(/no capture of this call/)
  })

  test('are listed without a look at the captures of those that are too many', async () => {
    const stage = await startReplays()
    stage.addVendor('chat')
    const { path, body } = callOf.chat('to-chat', false)
    stage.gateway.parts.settings.update({ CaptureLevel: 'off' })
    for (let count = 0; count < 6; count++) {
      stage.upstream.script(failing)
      await stage.ask(path, body)
    }
    const find = vi.spyOn(stage.gateway.parts.captures, 'find')
    expect(await listOf(stage, 2)).toHaveLength(2)
    expect(find).toHaveBeenCalledTimes(2)
  })

  test('are as many as were asked for', async () => {
    const stage = await startReplays()
    stage.addVendor('chat')
    const { path, body } = callOf.chat('to-chat', false)
    for (let count = 0; count < 3; count++) {
      stage.upstream.script(failing)
      await stage.ask(path, body)
    }
    expect(await listOf(stage, 2)).toHaveLength(2)
    expect((await stage.owner.get('/api/replays/failures?limit=51')).status).toBe(400)
  })
})

describe('an older failure is found', () => {
  const recorded = async (
    stage: ReplayStage,
    count: number,
    fields: Parameters<typeof logRow>[1],
  ) => {
    const { ledger } = stage.gateway.parts
    await Promise.all(
      Array.from({ length: count }, (_, i) => ledger.record(logRow(`r${i}`, fields))),
    )
  }
  const failed = { status: 500, other: { error_code: 'upstream_error' } }

  test('behind a hundred calls that their clients had left, and many that went well', async () => {
    const stage = await startReplays()
    await recorded(stage, 1, { ...failed, type: 5, model: 'wanted' })
    await recorded(stage, 120, { type: 5, status: 499 })
    await recorded(stage, 300, {})
    expect((await listOf(stage)).map(({ model }) => model)).toEqual(['wanted'])
  })

  test('behind hundreds of calls that went well, where its answer broke off and was charged', async () => {
    const stage = await startReplays()
    await recorded(stage, 1, { ...failed, type: 2, model: 'wanted' })
    await recorded(stage, 220, {})
    expect((await listOf(stage)).map(({ model }) => model)).toEqual(['wanted'])
  })
})

describe('the draft of a replay', () => {
  test('is the body over several lines, the path, and the headers that go along', async () => {
    const stage = await startReplays()
    stage.addVendor('messages')
    const { path, body } = callOf.messages('to-messages', true)
    const { id } = await stage.ask(path, body, { 'anthropic-beta': 'tools-2025' })
    const { data } = (await stage.owner.get(`/api/replays/draft/${id}`)).body
    expect(data).toMatchObject({
      ...{ format: 'messages', path: '/v1/messages', model: 'to-messages', stream: true },
      headers: expect.arrayContaining([['anthropic-beta', 'tools-2025']]),
    })
    expect(data.body).toBe(JSON.stringify(body, null, 2))
    expect(JSON.stringify(data)).not.toContain('authorization')
  })

  test('names Gemini’s model, which stands in the path', async () => {
    const stage = await startReplays()
    stage.addVendor('generate-content')
    const { path, body } = callOf['generate-content']('to-generate-content', true)
    const { id } = await stage.ask(path, body)
    const { data } = (await stage.owner.get(`/api/replays/draft/${id}`)).body
    expect(data).toMatchObject({ model: 'to-generate-content', stream: true })
  })

  test('of a capture that is gone says so', async () => {
    const stage = await startReplays()
    const { status, body } = await stage.owner.get('/api/replays/draft/none')
    expect(status).toBe(404)
    expect(body).toMatchObject({ code: 'not_found', field: 'capture' })
    expect(body.message).toContain('newer calls took its place')
  })
})
