import { expect, test, vi } from 'vitest'
import { Cancellation } from '../../../main/base/cancellation.ts'

test('what was cancelled before it began is not begun', () => {
  const cancellation = Cancellation.of(AbortSignal.abort())
  const end = vi.fn()
  cancellation.listen(end)
  expect(end).toHaveBeenCalledWith(expect.objectContaining({ code: 'client_gone' }))
})
