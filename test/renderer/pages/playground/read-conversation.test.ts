import { expect, test } from 'vitest'
import { asJson } from '../../../../renderer/pages/playground/chat/conversations/export-conversation.ts'
import { readConversation } from '../../../../renderer/pages/playground/chat/conversations/read-conversation.ts'
import {
  blankSettings,
  blankTurn,
  newRecord,
  type Turn,
} from '../../../../renderer/pages/playground/chat/desk/chat-record.ts'

const said: Turn = { ...blankTurn, id: 'a', parent: null, role: 'user', text: 'Hello' }
const reply: Turn = {
  ...blankTurn,
  id: 'b',
  parent: 'a',
  role: 'assistant',
  text: 'Hi',
  model: 'm',
}
const other: Turn = { ...reply, id: 'c', text: 'Hello there', firstToken: 12 }

const recordOf = (...turns: object[]) => {
  const record = newRecord({
    ...blankSettings,
    model: 'm',
    system: 'Be brief.',
    token: 3,
    channel: 2,
  })
  const columns = record.columns.map((column) => ({ ...column, turns: turns as Turn[], leaf: 'b' }))
  return { ...record, name: 'First', columns }
}

test('an exported conversation comes back with its branches, as yourself on any channel', () => {
  const read = readConversation(asJson(recordOf(said, reply, other)))
  const [column] = read?.columns ?? []
  expect([read?.name, column?.leaf]).toEqual(['First', 'b'])
  expect(column?.turns.map(({ id, parent, text }) => [id, parent, text])).toEqual([
    ['a', null, 'Hello'],
    ['b', 'a', 'Hi'],
    ['c', 'a', 'Hello there'],
  ])
  expect(column?.settings).toEqual({ ...blankSettings, model: 'm', system: 'Be brief.' })
})

test.each([
  ['no JSON', 'Hello'],
  ['another file', '{"data":{"channels":[]}}'],
  ['an empty conversation', JSON.stringify(recordOf())],
  ['turns in a circle', JSON.stringify(recordOf({ ...said, parent: 'b' }, reply))],
  ['two turns of one id', JSON.stringify(recordOf(said, { ...reply, id: 'a' }))],
  ['a turn of nobody', JSON.stringify(recordOf({ ...said, role: 'system' }))],
  [
    'more columns than there is room for',
    JSON.stringify({ columns: Array(5).fill({ turns: [said] }) }),
  ],
])('%s is no conversation', (_name, text) => {
  expect(readConversation(text)).toBeNull()
})

test('a reply with a thought in its text, from before thoughts were told apart, has it as a thought', () => {
  const old = { ...reply, text: '<think>\nHm.\n</think>\n\nHi' }
  const user = { ...said, text: '<think>mine</think>' }
  const [column] = readConversation(asJson(recordOf(user, old)))?.columns ?? []
  expect(column?.turns[0]).toMatchObject({ text: '<think>mine</think>', reasoning: '' })
  expect(column?.turns[1]).toMatchObject({ text: 'Hi', reasoning: 'Hm.', isTagged: true })
})

test('a thought that its model wants back with a tool’s result still goes back after an import', () => {
  const thought = { ...reply, reasoning: 'Rome it is.', goesBack: true }
  const [column] = readConversation(asJson(recordOf(said, thought, other)))?.columns ?? []
  expect(column?.turns.map(({ goesBack }) => goesBack)).toEqual([false, true, false])
})

test('what isn’t of the right kind is left blank, and nothing that is shown breaks on it', () => {
  const odd = {
    ...reply,
    text: 7,
    booked: { losses: 'x', input: 'many' },
    calls: 'none',
    failure: 1,
  }
  const [column] = readConversation(asJson(recordOf(said, odd) as never))?.columns ?? []
  expect(column?.turns[1]).toMatchObject({ text: '', calls: [], failure: null })
  expect(column?.turns[1]?.booked).toMatchObject({ losses: [], input: null })
})
