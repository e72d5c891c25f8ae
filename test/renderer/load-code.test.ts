import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadCode } from '../../renderer/components/lazy/load-code.ts'

const reload = vi.fn()
const kept = new Map<string, string>()
let isAnswering = true

/** Code that is missing; the page waits a while for its reload. */
async function loadMissing(): Promise<void> {
  const failed = expect(
    loadCode(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))),
  ).rejects.toThrow('dynamically imported')
  await vi.runAllTimersAsync()
  await failed
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  kept.clear()
  reload.mockClear()
  isAnswering = true
  vi.stubGlobal('window', { location: { href: 'http://127.0.0.1:4747/console/', reload } })
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  vi.stubGlobal('fetch', async () => {
    if (!isAnswering) throw new TypeError('Failed to fetch')
    return new Response()
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a page whose code an update took away loads the console anew, once', async () => {
  await loadMissing()
  expect(reload).toHaveBeenCalledTimes(1)
  await loadMissing()
  expect(reload).toHaveBeenCalledTimes(1)
})

test('while the gateway doesn’t answer, nothing is loaded anew: the page would be gone', async () => {
  isAnswering = false
  await loadMissing()
  expect(reload).not.toHaveBeenCalled()
})

test('nor while a proxy answers in its place: its error page would replace the console', async () => {
  vi.stubGlobal('fetch', async () => new Response('Bad gateway', { status: 502 }))
  await loadMissing()
  expect(reload).not.toHaveBeenCalled()
})
