import { cleanup, screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createFakeGateway } from '../fake-client.ts'
import { callRecord, listOf } from '../pages/calls/call-records.ts'
import { renderConsole } from '../render-console.tsx'

/** React hears this as long as there is a document, and the user of the tests the others. */
const lasting = ['selectionchange', 'focus', 'blur']

/** The listeners of document and window that were added since, and not removed. */
function watchListeners(): () => string[] {
  const left = new Map<unknown, string[]>()
  onTestFinished(() => void vi.restoreAllMocks())
  for (const target of [document, window]) {
    const { addEventListener: add, removeEventListener: remove } = target
    vi.spyOn(target, 'addEventListener').mockImplementation((...given) => {
      left.set(given[1], [...(left.get(given[1]) ?? []), given[0]])
      Reflect.apply(add, target, given)
    })
    vi.spyOn(target, 'removeEventListener').mockImplementation((...given) => {
      const [type, listener] = given
      const others = (left.get(listener) ?? []).toSpliced(left.get(listener)?.indexOf(type) ?? 0, 1)
      left.set(listener, others)
      Reflect.apply(remove, target, given)
    })
  }
  return () => [...left.values()].flat()
}

test.each([
  ['/calls?open=request-1', 'tablist'],
  ['/playground?model=echo', 'textbox'],
  ['/calls/replay/request-1', 'heading'],
])(
  'a console that was left at %s hears no key, no file and no way back any more',
  async (...one) => {
    const [path, role] = one
    const call = callRecord({ has_capture: true })
    const gateway = createFakeGateway({ 'call.timeline': listOf(call), 'call.one': () => call })
    const left = watchListeners()
    renderConsole(gateway, path)
    await screen.findAllByRole(role)
    expect(left()).not.toEqual([])
    cleanup()
    expect(left().filter((type) => !lasting.includes(type))).toEqual([])
  },
)
