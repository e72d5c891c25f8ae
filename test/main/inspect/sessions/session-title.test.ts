import { expect, test } from 'vitest'
import { sessionTitle } from '../../../../main/inspect/sessions/session-title.ts'

test('a long title ends before a character that would be cut in half', () => {
  const start = 'x'.repeat(119)
  const text = `${start}😀 and more`
  expect(sessionTitle([{ role: 'user', kind: 'text', text }])).toBe(start)
})
