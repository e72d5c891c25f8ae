import { expect, onTestFinished, test, vi } from 'vitest'
import { NoticeQueue } from '../../../../main/manage/notices/notice-queue.ts'

const notice = { type: 'test', title: 'A', content: 'B' } as const

test('a gateway that stops tells nobody that the notice under way failed', async () => {
  const failed = vi.fn()
  const warn = vi.fn()
  const send = (_user: number, _notice: unknown, signal: AbortSignal) =>
    new Promise<void>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('Ended.')))
    })
  const queue = new NoticeQueue({ send, failed }, { warn } as never)
  queue.add(1, notice)
  queue.stop()
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(failed).not.toHaveBeenCalled()
  expect(warn).not.toHaveBeenCalled()
})

test('a user gets thirty notices an hour, and more after it though the clock was set back', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const send = vi.fn(async () => {})
  const warn = vi.fn()
  const queue = new NoticeQueue({ send, failed: vi.fn() }, { warn } as never)
  for (let count = 0; count < 31; count++) queue.add(1, notice)
  expect(warn).toHaveBeenCalledTimes(1)
  vi.setSystemTime(Date.now() - 86_400_000)
  vi.advanceTimersByTime(3_600_000)
  queue.add(1, notice)
  expect(warn).toHaveBeenCalledTimes(1)
})
