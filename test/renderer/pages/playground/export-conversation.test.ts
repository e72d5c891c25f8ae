import { expect, test } from 'vitest'
import { asMarkdown } from '../../../../renderer/pages/playground/chat/conversations/export-conversation.ts'
import {
  blankTurn,
  newRecord,
} from '../../../../renderer/pages/playground/chat/desk/chat-record.ts'

/** A conversation whose only turn called a tool, which gave this. */
function recordOf(result: string) {
  const record = newRecord()
  const call = { id: 'c', name: 'read_file', arguments: '{}', result }
  const turn = { ...blankTurn, id: 't', parent: null, role: 'assistant' as const, calls: [call] }
  const columns = record.columns.map((column) => ({ ...column, turns: [turn], leaf: 't' }))
  return { ...record, columns }
}

test.each([
  ['plain text', 'done', '```'],
  ['a code block', 'Run:\n```sh\nls\n```', '````'],
  ['a block within a block', '````md\n```sh\nls\n```\n````', '`````'],
])('a tool’s result with %s stays within its own block of the file', (_name, result, fence) => {
  const text = asMarkdown(recordOf(result))
  expect(text).toContain(`\n\n${fence}\n${result}\n${fence}\n`)
})
