import { expect, test } from 'vitest'
import type { StreamEvent } from '../../../preload/contract.ts'
import { type AnswerEnd, collectAnswer } from '../../../renderer/gateway/collect-answer.ts'

function endOf(...events: StreamEvent[]): AnswerEnd[] {
  const ends: AnswerEnd[] = []
  const take = collectAnswer((end) => ends.push(end))
  for (const event of events) take(event)
  return ends
}

const start = { type: 'start', status: 502, headers: { 'x-request-id': 'r' } } as const
const chunk = (text: string) => ({ type: 'chunk', bytes: new TextEncoder().encode(text) }) as const

test('an answer that breaks off keeps its status and says why', () => {
  const broken = { broken: 'Cut.', status: 502 }
  expect(endOf(start, chunk('Hel'), { type: 'error', message: 'Cut.' })).toEqual([broken])
  expect(endOf({ type: 'error', message: 'Cut.' })).toEqual([{ ...broken, status: null }])
  expect(endOf({ type: 'end' })).toEqual([{ broken: 'There was no answer.', status: null }])
})

test('a whole answer has all of its bytes in order', () => {
  const [end] = endOf(start, chunk('Hel'), chunk('lo'), { type: 'end' })
  if (!end || 'broken' in end) throw new Error('It is not whole.')
  expect(end.answer).toMatchObject({ status: 502, headers: { 'x-request-id': 'r' } })
  expect(new TextDecoder().decode(end.answer.bytes)).toBe('Hello')
})
