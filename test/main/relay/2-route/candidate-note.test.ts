import { expect, test } from 'vitest'
import { whyResting } from '../../../../main/relay/2-route/candidate-note.ts'
import type { CircuitState } from '../../../../main/relay/circuit/circuit.ts'

test('the log says until when a channel that was not asked rests', () => {
  const circuit = { state: 'open', reason: 'It failed.', isHinted: false }
  const until = performance.now() + 60_000
  const note = whyResting({ ...circuit, until } as unknown as CircuitState)
  expect(note).toMatchObject({ why: 'open', reason: 'It failed.' })
  expect(Math.abs((note.until ?? 0) - Date.now() - 60_000)).toBeLessThan(5_000)
})
