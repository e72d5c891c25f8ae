import { expect, test, vi } from 'vitest'
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
