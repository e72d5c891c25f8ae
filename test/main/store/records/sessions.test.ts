import { expect, onTestFinished, test, vi } from 'vitest'
import { createSessions } from '../../../../main/store/records/sessions.ts'
import { records } from './records.ts'

test('a session lets in up to its end, and not after it', () => {
  vi.useFakeTimers({ now: 1_700_000_000_000 })
  onTestFinished(() => void vi.useRealTimers())
  const { state } = records()
  const sessions = createSessions(state)
  sessions.put({ id: 'secret', userId: 1, data: {}, expiresAt: 1_700_000_060 })
  expect(sessions.get('secret')).toMatchObject({ userId: 1 })
  expect(sessions.ofUser(1)).toHaveLength(1)
  vi.setSystemTime(1_700_000_060_000)
  expect(sessions.get('secret')).toBeUndefined()
  expect(sessions.ofUser(1)).toEqual([])
})
