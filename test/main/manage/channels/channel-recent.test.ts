import { expect, test } from 'vitest'
import { logRow, startWithRows } from '../calls/log-rows.ts'

test('calls of the last quarter of an hour are counted by channel and minute', async () => {
  const now = Math.floor(Date.now() / 1000)
  const { owner } = await startWithRows(
    logRow('now', { channelId: 3, createdAt: now }),
    logRow('failed', { channelId: 3, createdAt: now, type: 5, status: 503 }),
    logRow('before', { channelId: 4, createdAt: now - 300 }),
    logRow('long ago', { channelId: 4, createdAt: now - 3600 }),
    logRow('nowhere', { channelId: 0, createdAt: now, type: 5 }),
    logRow('no call', { channelId: 3, createdAt: now, type: 4 }),
  )
  const { data } = (await owner.get('/api/channel/recent')).body
  expect(data).toMatchObject({ step: 60, steps: 15, known_from: data.start })
  const minuteOf = (time: number) => Math.floor((time - data.start) / 60)
  const sums = data.channels.map((one: { id: number; calls: number[]; errors: number[] }) => [
    one.id,
    one.calls.length,
    one.calls[minuteOf(one.id === 3 ? now : now - 300)],
    one.calls.reduce((sum, calls) => sum + calls, 0),
    one.errors.reduce((sum, errors) => sum + errors, 0),
  ])
  expect(sums.toSorted()).toEqual([
    [3, 15, 2, 2, 1],
    [4, 15, 1, 1, 0],
  ])
})
