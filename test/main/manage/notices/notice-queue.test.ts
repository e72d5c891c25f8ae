import { afterEach, expect, test, vi } from 'vitest'
import { NoticeQueue } from '../../../../main/manage/notices/notice-queue.ts'

afterEach(() => void vi.restoreAllMocks())

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

test('a user who had all notices of an hour gets the next one when the hour is over', async () => {
  const sent: number[] = []
  const send = async (user: number) => void sent.push(user)
  const queue = new NoticeQueue({ send, failed: vi.fn() }, { warn: vi.fn() } as never)
  for (let one = 0; one < 40; one++) queue.add(1, notice)
  await expect.poll(() => sent).toHaveLength(30)
  const later = Date.now() + 3_600_000
  vi.spyOn(Date, 'now').mockImplementation(() => later)
  queue.add(1, notice)
  while (sent.length < 31) await new Promise((resolve) => setTimeout(resolve, 5))
})
