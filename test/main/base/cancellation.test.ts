import { expect, test, vi } from 'vitest'
import { Cancellation } from '../../../main/base/cancellation.ts'
import { GatewayError } from '../../../main/base/errors.ts'

test('what was cancelled before it began is not begun', () => {
  const cancellation = Cancellation.of(AbortSignal.abort())
  const end = vi.fn()
  cancellation.listen(end)
  expect(end).toHaveBeenCalledWith(expect.objectContaining({ code: 'client_gone' }))
})

test('a call ends once, for the first reason, and tells one listener', () => {
  const cancellation = new Cancellation()
  const [early, late] = [vi.fn(), vi.fn()]
  cancellation.listen(early)
  cancellation.listen(late)
  const first = new GatewayError('client_gone', { message: 'First.' })
  cancellation.cancel(first)
  cancellation.cancel(new GatewayError('internal', { message: 'Second.' }))
  expect(early).not.toHaveBeenCalled()
  expect(late.mock.calls).toEqual([[first]])
  expect(cancellation.reason).toBe(first)
})

test('a signal ends its call when it comes, not before', () => {
  const controller = new AbortController()
  const cancellation = Cancellation.of(controller.signal)
  expect(cancellation.reason).toBeNull()
  controller.abort()
  expect(cancellation.reason).toMatchObject({ code: 'client_gone' })
})
