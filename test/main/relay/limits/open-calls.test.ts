import { afterEach, expect, test, vi } from 'vitest'
import type { OpenCall } from '../../../../main/relay/limits/open-calls.ts'
import { OpenCalls } from '../../../../main/relay/limits/open-calls.ts'
import { keepJournal } from '../../../../main/relay/limits/open-journal.ts'
import type { OpenCallRow } from '../../../../main/store/ledger/ledger.ts'
import { call as rowOf } from '../../store/ledger/call.ts'

afterEach(() => void vi.restoreAllMocks())

const openCall = (id: string, since: number, quota = () => 0): OpenCall => ({
  ...{ slot: -1, id, userId: 1, since, keptAt: 0 },
  soFar: () => ({ row: rowOf({ requestId: id, quota: quota() }), reserved: 0 }),
  interrupt() {},
})

test('whoever ends a call hears of its end at once, and not of the end of others', async () => {
  const calls = new OpenCalls()
  const [ended, other] = [openCall('a', 0), openCall('b', 0)]
  for (const call of [ended, other]) calls.add(call)
  let isOver = false
  const over = calls.whenOver(ended, 20_000).then(() => {
    isOver = true
  })
  calls.remove(other)
  await Promise.resolve()
  expect(isOver).toBe(false)
  calls.remove(ended)
  await over
  await calls.whenOver(ended, 20_000)
})

test('a long call is kept with what it has used so far, once in ten seconds', () => {
  let now = 5000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  let look = () => {}
  vi.spyOn(globalThis, 'setInterval').mockImplementation((run) => {
    look = run as () => void
    return setTimeout(() => {}, 0)
  })
  const kept: [id: string, quota: number][] = []
  let isFull = false
  const keepOpen = (rows: readonly OpenCallRow[]) => {
    if (!isFull) for (const { row } of rows) kept.push([row.requestId, row.quota])
    return !isFull
  }
  const calls = new OpenCalls()
  keepJournal(calls, { keepOpen })()
  let used = 1
  calls.add(openCall('long', now, () => used))
  const after = (milliseconds: number) => {
    now += milliseconds
    look()
    return kept.splice(0)
  }
  expect(after(1000)).toEqual([])
  isFull = true
  expect(after(1000)).toEqual([])
  isFull = false
  expect(after(1000)).toEqual([['long', 1]])
  used = 2
  expect(after(10_000)).toEqual([])
  expect(after(1)).toEqual([['long', 2]])
})
