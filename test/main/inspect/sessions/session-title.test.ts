import { expect, test } from 'vitest'
import { sessionTitle } from '../../../../main/inspect/sessions/session-title.ts'

test('a long title ends before a character that would be cut in half', () => {
  const start = 'x'.repeat(119)
  const text = `${start}😀 and more`
  expect(sessionTitle([{ role: 'user', kind: 'text', text }])).toBe(start)
})

test('the context that an agent tells first is no title', () => {
  const says = (text: string) => ({ role: 'user', kind: 'text', text }) as const
  const context =
    'This is the Qwen Code. We are setting up the context for our chat.\nIt is Monday.'
  expect(sessionTitle([says(context), says('Fix the build.')])).toBe('Fix the build.')
})
