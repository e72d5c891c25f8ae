import { expect, test } from 'vitest'
import type { StreamEvent } from '../../../../../preload/contract.ts'
import {
  compareCalls,
  comparedAnswer,
} from '../../../../../renderer/pages/calls/replay/answer-parts.ts'
import {
  createReplayReader,
  type ReplayEnd,
} from '../../../../../renderer/pages/calls/replay/replay-answer.ts'
import { tokensPerSecond } from '../../../../../renderer/pages/calls/replay/replay-figures.tsx'

const bytes = (text: string) => new TextEncoder().encode(text)

function read(events: readonly StreamEvent[]): ReplayEnd {
  let end: ReplayEnd | null = null
  const reader = createReplayReader({
    onProgress() {},
    onEnd(last) {
      end = last
    },
  })
  for (const event of events) reader(event)
  if (!end) throw new Error('It never ended.')
  return end
}

const answered = (status: number, type: string, body: string, id?: string): StreamEvent[] => [
  {
    type: 'start',
    status,
    headers: { 'content-type': type, ...(id ? { 'x-switchyard-replay': id } : {}) },
  },
  { type: 'chunk', bytes: bytes(body) },
  { type: 'end' },
]

const sse = (...events: object[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

test.each([
  [
    'chat',
    sse({ choices: [{ delta: { content: 'Hel' } }] }, { choices: [{ delta: { content: 'lo' } }] }),
  ],
  [
    'messages',
    sse(
      { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'Hm' } },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hello' } },
    ),
  ],
  [
    'responses',
    sse(
      { type: 'response.reasoning_summary_text.delta', delta: 'Hm' },
      { type: 'response.output_text.delta', delta: 'Hello' },
    ),
  ],
  [
    'generate-content',
    sse({
      candidates: [{ content: { parts: [{ text: 'Hm', thought: true }, { text: 'Hello' }] } }],
    }),
  ],
])('the words of a stream in %s show while they come, its reasoning does not', (_format, body) => {
  const end = read(answered(200, 'text/event-stream; charset=utf-8', body, 'r-2'))
  expect(end).toMatchObject({ id: 'r-2', status: 200, text: 'Hello', failure: null })
})

test('a refusal is read in words, with its field and without the request’s id', () => {
  const body = { error: { message: 'messages[0]: must be an object. (request id: ab12)' } }
  expect(read(answered(400, 'application/json', JSON.stringify(body)))).toMatchObject({
    id: null,
    failure: { message: 'messages[0]: must be an object.', field: 'messages[0]' },
  })
  expect(read([{ type: 'error', message: 'model: is required.' }])).toMatchObject({
    id: null,
    status: null,
    failure: { message: 'model: is required.', field: 'model' },
  })
})

test('tool calls match by name and arguments, whatever the order of their keys', () => {
  const parts = (calls: [string, string][]) =>
    comparedAnswer(
      calls.map(([name, text]) => ({ role: 'assistant', kind: 'tool-call', name, text }) as const),
    )?.calls ?? []
  const original = parts([
    ['read', '{"path":"a","limit":1}'],
    ['write', '{"path":"b"}'],
    ['list', '{}'],
  ])
  const own = parts([
    ['read', '{"limit":1,"path":"a"}'],
    ['write', '{"path":"c"}'],
    ['run', '{}'],
  ])
  expect(compareCalls(own, original).map(({ name, change }) => [name, change])).toEqual([
    ['read', 'same'],
    ['write', 'changed'],
    ['run', 'added'],
    ['list', 'missing'],
  ])
})

test('a rate is only there where tokens and both times are known', () => {
  expect(tokensPerSecond({ outputTokens: 100, firstToken: 500, duration: 2500 })).toBe(50)
  expect(tokensPerSecond({ outputTokens: 100, firstToken: null, duration: 2500 })).toBeNull()
  expect(tokensPerSecond({ outputTokens: null, firstToken: 500, duration: 2500 })).toBeNull()
  expect(tokensPerSecond({ outputTokens: 100, firstToken: 500, duration: 500 })).toBeNull()
})
