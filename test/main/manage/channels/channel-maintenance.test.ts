import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  scheduleTestRounds,
  startTestRound,
} from '../../../../main/manage/channels/maintenance/channel-test-round.ts'
import { startUpstream } from '../../../support/upstreams/scripted-upstream.ts'
import { type Management, OWNER, startManagement } from '../management.ts'

const KEY = 'sk-vendor-0123456789abcdef'

const add = ({ gateway }: Management, fields: object = {}) =>
  gateway.parts.channels.create({
    type: 1,
    name: 'Vendor',
    key: KEY,
    models: ['gpt-a', 'gpt-b'],
    ...fields,
  }).id

describe('looking at a channel’s key', () => {
  test('takes the owner’s password again, and is logged without the key', async () => {
    const management = await startManagement()
    const { owner, gateway } = management
    const id = add(management)
    const unverified = await owner.send('POST', `/api/channel/${id}/key`)
    expect([unverified.status, JSON.stringify(unverified.body).includes(KEY)]).toEqual([403, false])
    await owner.send('POST', '/api/verify', { method: 'password', code: OWNER.password })
    const { status, headers, body } = await owner.send('POST', `/api/channel/${id}/key`)
    expect([status, body.data]).toEqual([200, { key: KEY }])
    expect(headers.get('cache-control')).toBe('no-store')
    const { items } = gateway.parts.ledger.list({ type: 3 }, { page: 1, pageSize: 10 })
    expect(items).toMatchObject([
      { content: `ada looked at the key of channel "Vendor" (${id})`, channelId: id },
    ])
    expect((await owner.send('POST', '/api/channel/99/key')).status).toBe(404)
  })

  test('is not for an administrator', async () => {
    const management = await startManagement()
    const { gateway, visitor } = management
    const id = add(management)
    const { accessToken } = gateway.parts.users.create({
      username: 'bob',
      role: 10,
      accessToken: 'a'.repeat(32),
    })
    const authorization = `Bearer ${accessToken}`
    const { status } = await visitor().send('POST', `/api/channel/${id}/key`, undefined, {
      authorization,
    })
    expect(status).toBe(403)
  })
})

test('routing is worked out anew, and what no call can be sent through is counted', async () => {
  const management = await startManagement()
  add(management)
  add(management, { key: '' })
  add(management, { type: 5 })
  const { body } = await management.owner.send('POST', '/api/channel/fix')
  expect(body.data).toEqual({ success: 1, fails: 2 })
  expect(management.gateway.parts.channels.serving('default', 'gpt-a')).toHaveLength(3)
})

test('known models are those of vendors and channels, enabled ones those that can be called', async () => {
  const management = await startManagement()
  const { owner } = management
  add(management)
  add(management, { type: 14, models: ['gpt-a', 'claude-mine'] })
  add(management, { models: ['sleeping'], status: 2 })
  const enabled = await owner.get('/api/channel/models_enabled')
  expect(enabled.body.data).toEqual(['claude-mine', 'gpt-a', 'gpt-b'])
  const { data } = (await owner.get('/api/channel/models')).body
  expect(data).toContainEqual({
    id: 'claude-mine',
    object: 'model',
    created: 1626777600,
    owned_by: 'anthropic',
  })
  const ids = data.map(({ id }: { id: string }) => id)
  expect(ids).toEqual(expect.arrayContaining(['echo', 'sleeping', 'deepseek-v4-pro']))
  expect(new Set(ids).size).toBe(ids.length)
})

test('edits of different fields at the same time are all kept', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  const id = add(management)
  const fields = [
    { priority: 7 },
    { weight: 3 },
    { remark: 'mine' },
    { tag: 'paid' },
    { models: 'gpt-c' },
    { model_mapping: '{"gpt-c":"real"}' },
    { test_model: 'gpt-c' },
    { status: 2 },
  ]
  const answers = await Promise.all(
    fields.map((one) => owner.send('PUT', '/api/channel/', { id, ...one })),
  )
  expect(answers.map(({ status }) => status)).toEqual(fields.map(() => 200))
  expect(gateway.parts.channels.byId(id)).toMatchObject({
    priority: 7,
    weight: 3,
    remark: 'mine',
    tag: 'paid',
    models: ['gpt-c'],
    modelMapping: { 'gpt-c': 'real' },
    testModel: 'gpt-c',
    status: 2,
    key: KEY,
  })
})

test('a test that nobody waits for any more ends at the vendor, and says nothing of the channel', async () => {
  const management = await startManagement()
  const { owner, gateway } = management
  const upstream = await startUpstream(() => ({ ending: 'hang-before-headers' }))
  onTestFinished(() => upstream.close())
  const id = add(management, { baseUrl: upstream.url })
  const left = new AbortController()
  const asked = fetch(`${gateway.url}/api/channel/test/${id}`, {
    headers: { cookie: owner.cookie, 'x-requested-with': 'Switchyard' },
    signal: left.signal,
  }).catch(() => null)
  await expect.poll(() => upstream.requests).toHaveLength(1)
  left.abort()
  expect([await asked, await upstream.last().ended]).toEqual([null, 'gone'])
  const rows = () => gateway.parts.ledger.list({}, { page: 1, pageSize: 1 }).items
  await expect.poll(rows).toMatchObject([{ status: 499 }])
  expect(gateway.parts.channels.byId(id)).toMatchObject({ testTime: 0, lastTest: null })
})

describe('tests by the clock', () => {
  test('are made every so many minutes, while the settings say so', async () => {
    const { gateway } = await startManagement()
    const { parts } = gateway
    const id = parts.channels.create({ type: 900, name: 'Echo', models: ['echo'] }).id
    const tested = () => parts.channels.byId(id)?.testTime ?? 0
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    try {
      const stop = scheduleTestRounds(parts)
      vi.advanceTimersByTime(20 * 60_000)
      expect(tested()).toBe(0)
      parts.settings.update({
        'monitor_setting.auto_test_channel_enabled': true,
        'monitor_setting.auto_test_channel_minutes': 5,
      })
      parts.settings.update({ PausedSince: 1 })
      vi.advanceTimersByTime(60_000)
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(tested()).toBe(0)
      parts.settings.update({ PausedSince: 0 })
      vi.advanceTimersByTime(15_000)
      await vi.waitFor(() => expect(tested()).toBeGreaterThan(0), { timeout: 30_000 })
      const first = tested()
      vi.advanceTimersByTime(4 * 60_000)
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(tested()).toBe(first)
      vi.advanceTimersByTime(60_000)
      await vi.waitFor(() => expect(tested()).toBeGreaterThan(first), { timeout: 30_000 })
      vi.setSystemTime(Date.now() - 24 * 60 * 60_000)
      vi.advanceTimersByTime(15_000)
      await vi.waitFor(() => expect(tested()).toBeLessThan(first), { timeout: 30_000 })
      stop()
    } finally {
      vi.useRealTimers()
    }
  })

  test('end with the gateway', async () => {
    const { gateway } = await startManagement()
    const { parts } = gateway
    for (let index = 0; index < 50; index++) {
      parts.channels.create({ type: 900, name: `Echo ${index}`, models: ['echo'] })
    }
    startTestRound(parts)
    await gateway.close()
    const untested = () => parts.channels.all().filter(({ testTime }) => testTime === 0).length
    const left = untested()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect([left > 0, untested()]).toEqual([true, left])
  })
})
