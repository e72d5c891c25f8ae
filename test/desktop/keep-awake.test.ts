import { beforeAll, expect, test, vi } from 'vitest'
import { keepAwake } from '../../main/desktop/system/keep-awake.ts'
import { type OpenCall, OpenCalls } from '../../main/relay/limits/open-calls.ts'
import { app } from '../support/electron/app.ts'
import { startedBlockers } from '../support/electron/power.ts'

vi.mock('electron', () => import('../support/electron/electron.ts'))

beforeAll(() => app.becomeReady())

const call = (): OpenCall => ({
  ...{ slot: -1, id: 'r', userId: 1, since: 0, keptAt: 0, interrupt: () => {} },
  soFar: () => {
    throw new Error('not asked here')
  },
})

test('the system keeps the app running during calls, a little longer, and no more', async () => {
  const openCalls = new OpenCalls()
  const end = keepAwake({ openCalls }, 100)
  expect(startedBlockers()).toEqual([])
  const [one, other] = [call(), call()]
  openCalls.add(one)
  openCalls.add(other)
  expect(startedBlockers()).toEqual(['prevent-app-suspension'])
  openCalls.remove(one)
  openCalls.remove(other)
  expect(startedBlockers()).toHaveLength(1)
  // The next call of an agent comes in time: it is the same blocker, and the wait begins anew.
  openCalls.add(one)
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(startedBlockers()).toHaveLength(1)
  openCalls.remove(one)
  await expect.poll(startedBlockers).toEqual([])
  openCalls.add(one)
  expect(startedBlockers()).toHaveLength(1)
  end()
  expect(startedBlockers()).toEqual([])
})
