import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  runDueRetests,
  scheduleRetests,
} from '../../../../main/manage/channels/maintenance/channel-retest.ts'
import {
  badKey,
  broken,
  chat,
  events,
  KEYS,
  keyStatusesOf,
  reasonOf,
  type Staged,
  statusOf,
  until,
  withVendor,
} from './vendor-by-key.ts'

const MINUTE = 60_000

/** Runs what is due so many minutes from now. */
const retest = ({ gateway }: Staged, minutes: number) =>
  runDueRetests(gateway.parts, performance.now() + minutes * MINUTE)

const gone = { status: 3, reason: 'x', time: 1 } as const

async function retestAt({ owner }: Staged, id: number): Promise<number | null> {
  const { data } = (await owner.get('/api/channel/health')).body
  return data.find((one: { id: number }) => one.id === id).retest_at
}

describe('what the gateway disabled', () => {
  test('is tested again after a minute, then after two, until it passes', async () => {
    const stage = await withVendor({ [KEYS[0]]: broken })
    const id = stage.add({ status: 3 })
    await retest(stage, 0)
    expect(stage.upstream.requests).toHaveLength(0)
    const first = ((await retestAt(stage, id)) ?? 0) - Date.now()
    expect(first).toBeGreaterThan(0.9 * MINUTE)
    expect(first).toBeLessThanOrEqual(1.2 * MINUTE)
    await retest(stage, 1.5)
    expect(stage.upstream.requests).toHaveLength(1)
    await retest(stage, 3)
    expect(stage.upstream.requests).toHaveLength(1)
    expect(statusOf(stage, id)).toBe(3)
    delete stage.answers[KEYS[0]]
    await retest(stage, 4.5)
    expect(statusOf(stage, id)).toBe(1)
    expect(reasonOf(stage, id)).toBe('It passed a test')
    expect(await retestAt(stage, id)).toBeNull()
    await until(() => events(stage).length === 1)
    expect(events(stage)[0]?.content).toMatch(/^Enabled channel "Vendor" \(1\) again/)
    await retest(stage, 100)
    expect(stage.upstream.requests).toHaveLength(2)
  })

  test('is tested in time though the clock was set back', async () => {
    const stage = await withVendor()
    const id = stage.add({ status: 3 })
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    onTestFinished(scheduleRetests(stage.gateway.parts))
    vi.advanceTimersByTime(15_000)
    vi.setSystemTime(Date.now() - 24 * 60 * MINUTE)
    const left = ((await retestAt(stage, id)) ?? 0) - Date.now()
    expect(left).toBeLessThanOrEqual(1.2 * MINUTE)
    vi.advanceTimersByTime(1.5 * MINUTE)
    await vi.waitFor(() => expect(statusOf(stage, id)).toBe(1), { timeout: 30_000 })
  })

  test('starts afresh when it passes: what its calls failed of before counts no more', async () => {
    const stage = await withVendor({ [KEYS[0]]: broken })
    const id = stage.add()
    for (let count = 0; count < 6; count++) await chat(stage)
    const { health, channels } = stage.gateway.parts
    expect(health.stats(id)?.successRate).toBe(0)
    channels.update(id, { status: 3 })
    delete stage.answers[KEYS[0]]
    await retestAt(stage, id)
    await retest(stage, 2)
    expect(statusOf(stage, id)).toBe(1)
    expect(health.stats(id)).toBeNull()
  })

  test('is tested again as a whole where none of its keys was disabled by itself', async () => {
    const stage = await withVendor()
    const id = stage.add({ key: KEYS.join('\n'), multiKeyMode: 'random', status: 3 })
    expect(await retestAt(stage, id)).not.toBeNull()
    await retest(stage, 2)
    expect(statusOf(stage, id)).toBe(1)
  })

  test('is left so where the option is off, and what a person disabled in any case', async () => {
    const stage = await withVendor()
    const id = stage.add({ status: 3 })
    const byHand = stage.add({ status: 2 })
    const several = { key: KEYS.join('\n'), multiKeyMode: 'random' }
    const closed = stage.add({
      ...{ ...several, status: 3, keyStates: [gone, gone].map((one) => ({ ...one, status: 2 })) },
    })
    stage.gateway.parts.settings.update({ AutomaticEnableChannelEnabled: false })
    expect(await retestAt(stage, id)).toBeNull()
    for (const minutes of [0, 2, 10]) await retest(stage, minutes)
    expect(stage.upstream.requests).toHaveLength(0)
    stage.gateway.parts.settings.update({ AutomaticEnableChannelEnabled: true })
    for (const minutes of [0, 2, 10]) await retest(stage, minutes)
    expect([id, byHand, closed].map((one) => statusOf(stage, one))).toEqual([1, 2, 3])
    expect(stage.upstream.requests).toHaveLength(1)
  })

  test('stays so when the test passes but is too slow', async () => {
    const stage = await withVendor({ [KEYS[0]]: { delay: 300, body: {} } })
    stage.gateway.parts.settings.update({ ChannelDisableThreshold: 0.2 })
    const id = stage.add({ status: 3 })
    await retest(stage, 0)
    await retest(stage, 2)
    expect(stage.upstream.requests).toHaveLength(1)
    expect(statusOf(stage, id)).toBe(3)
  })
})

describe('of several keys', () => {
  test('the one that was disabled is tested, while the others serve, and comes back alone', async () => {
    const stage = await withVendor({ [KEYS[1]]: badKey(KEYS[1]) })
    const id = stage.add({
      key: `sk-good\n${KEYS.join('\n')}\nsk-by-hand`,
      multiKeyMode: 'polling',
      keyStates: [{ ...gone, status: 1 }, gone, gone, { ...gone, status: 2 }],
    })
    for (const minutes of [0, 1.5, 1.6]) await retest(stage, minutes)
    const asked = stage.upstream.requests.map(({ headers }) => headers.authorization).sort()
    expect(asked).toEqual(KEYS.map((key) => `Bearer ${key}`))
    expect(keyStatusesOf(stage, id)).toEqual([1, 1, 3, 2])
    await until(() => events(stage).length === 1)
    expect(events(stage)[0]?.content).toMatch(/^Enabled key 2 of channel "Vendor" \(1\) again/)
    expect(statusOf(stage, id)).toBe(1)
  })

  test('that are all disabled the first that passes enables the channel', async () => {
    const stage = await withVendor({ [KEYS[0]]: badKey(KEYS[0]) })
    const id = stage.add({
      ...{ status: 3, key: KEYS.join('\n'), multiKeyMode: 'random', keyStates: [gone, gone] },
    })
    for (const minutes of [0, 1.5, 1.6]) await retest(stage, minutes)
    expect(statusOf(stage, id)).toBe(1)
    expect(keyStatusesOf(stage, id)).toEqual([3, 1])
  })
})
