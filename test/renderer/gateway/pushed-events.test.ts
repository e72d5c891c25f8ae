import { expect, onTestFinished, test, vi } from 'vitest'
import { createPushedEvents } from '../../../renderer/gateway/pushed-events.ts'

/** As a browser's is after a refusal. */
class RefusedSource extends EventTarget {
  static readonly CLOSED = 2
  static opened = 0
  readonly readyState = 2

  constructor() {
    super()
    RefusedSource.opened++
    queueMicrotask(() => this.dispatchEvent(new Event('error')))
  }

  close() {}
}

test('a refused connection is tried again while somebody listens, and not longer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('EventSource', RefusedSource)
  vi.stubGlobal('document', { hidden: false, onvisibilitychange: null })
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  const end = createPushedEvents('/api/events').on('calls', () => {})
  expect(RefusedSource.opened).toBe(1)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(RefusedSource.opened).toBe(2)
  end()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(RefusedSource.opened).toBe(2)
})
