import { expect, test } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { createChatReader } from '../../../../renderer/pages/playground/chat/stream/read-chat-stream.ts'
import type { AnswerFailure } from '../../../../renderer/pages/playground/run/answer-failure.ts'
import { cutAtRandom } from '../../../support/clients/cut-at-random.ts'
import { recordedStreams } from '../../../support/recordings/fixtures.ts'
import {
  failedResponse,
  recordedResponses,
} from '../../../support/recordings/recorded-responses.ts'

interface Heard {
  text: string
  reasoning: string
  calls: Record<string, { name: string; json: string }>
  usage: { input?: number; output?: number }
  ending?: string
  failure: AnswerFailure | null | undefined
}

/** A stream in pieces, as the console reads it. */
function hear(format: WireFormat, pieces: readonly Buffer[]): Heard {
  const heard: Heard = { text: '', reasoning: '', calls: {}, usage: {}, failure: undefined }
  const read = createChatReader(format, {
    onCall() {},
    onEvent(event) {
      if (event.type === 'usage') {
        const { type: _, ...counts } = event
        heard.usage = { ...heard.usage, ...counts }
      } else if (event.type === 'call') {
        const known = heard.calls[event.key] ?? { name: '', json: '' }
        const { name = known.name, delta } = event
        heard.calls[event.key] = { name, json: known.json + delta }
      } else if (event.type === 'ending') heard.ending = event.ending
      else heard[event.type] += event.delta
    },
    onEnd(failure) {
      heard.failure = failure
    },
  })
  read({ type: 'start', status: 200, headers: { 'content-type': 'text/event-stream' } })
  for (const bytes of pieces) read({ type: 'chunk', bytes })
  read({ type: 'end' })
  return heard
}

const streams = [
  ...recordedStreams,
  ...[...recordedResponses, failedResponse].map(({ name, bytes }) => {
    return { name, format: 'responses' as const, bytes }
  }),
]
/** The keys that the reader gives calls may differ each time. */
const told = ({ calls, ...rest }: Heard) => ({ ...rest, calls: Object.values(calls) })

test.each(streams.map((stream) => ({ ...stream })))(
  'wherever $name is cut, the console reads the same',
  ({ format, bytes }) => {
    const whole = told(hear(format, [bytes]))
    for (let seed = 1; seed <= 5; seed++) {
      expect(told(hear(format, cutAtRandom(bytes, seed))), `seed ${seed}`).toEqual(whole)
    }
  },
)

test.each<[string, Partial<ReturnType<typeof told>>]>([
  [
    'openai-chat/deepseek-tool-call-reasoning-stream.chunks.txt',
    {
      reasoning: expect.stringMatching(/^The user is asking for the weather in San Francisco\./),
      calls: [{ name: 'weather', json: '{"location": "San Francisco"}' }],
      usage: { input: 339, output: 83 },
      failure: null,
    },
  ],
  [
    'anthropic-messages/thinking-stream.response.sse',
    {
      text: expect.stringMatching(/^Here are the basic steps for safely crossing the street:\n/),
      reasoning: expect.stringMatching(/^This is a straightforward question about pedestrian/),
      usage: { input: 43, output: 282 },
      failure: null,
    },
  ],
  [
    'anthropic-messages/tool-no-args-stream.chunks.txt',
    {
      text: "I'll update the issue list for you.",
      calls: [{ name: 'updateIssueList', json: '' }],
    },
  ],
  // The vendor searched the web itself: that is no call to answer.
  ['anthropic-messages/web-search-stream.chunks.txt', { calls: [], failure: null }],
  [
    'gemini/thought-signature-turn1.response.sse',
    { calls: [{ name: 'get_country', json: '{}' }], usage: { input: 29, output: 212 } },
  ],
  [
    'gemini/tool-call-gemini3-stream.chunks.txt',
    { calls: [{ name: 'weather', json: '{"location":"San Francisco"}' }], failure: null },
  ],
  [
    'reasoning-encrypted-stream.chunks.txt 1',
    {
      reasoning: expect.stringMatching(/^\*\*Calculating step-by-step using calculator\*\*\n/),
      calls: [{ name: 'calculator', json: '{"a":12,"b":7,"op":"add"}' }],
      usage: { input: 134, output: 28 },
      failure: null,
    },
  ],
  ['reasoning-encrypted-stream.chunks.txt 4', { text: 'The final result is **570**.' }],
  [
    'error-stream.chunks.txt 1',
    { failure: expect.objectContaining({ problem: 'refused', code: 'insufficient_quota' }) },
  ],
])('%s: text, thoughts, calls, usage and end', (name, expected) => {
  const stream = streams.find((one) => one.name === name)
  if (!stream) throw new Error(`There is no recording ${name}.`)
  expect(told(hear(stream.format, cutAtRandom(stream.bytes, 11)))).toMatchObject(expected)
})

test.each(streams.filter(({ name }) => !name.startsWith('error')).map((stream) => ({ ...stream })))(
  '$name that breaks off halfway is not passed off as whole',
  ({ format, bytes }) => {
    const half = hear(format, [bytes.subarray(0, bytes.length >> 1)])
    expect(half.failure).toMatchObject({ problem: 'cut' })
  },
)

test('tokens that Anthropic read from a cache count as input', () => {
  const start = {
    type: 'message_start',
    message: {
      usage: {
        input_tokens: 4,
        cache_read_input_tokens: 9000,
        cache_creation_input_tokens: 96,
        output_tokens: 1,
      },
    },
  }
  const bytes = Buffer.from(`data: ${JSON.stringify(start)}\n\n`)
  // The one output token that it names is that of the beginning.
  expect(hear('messages', [bytes]).usage).toEqual({ input: 9100 })
})

test('a Responses answer that its token limit ended is whole, with its tokens', () => {
  const response = { status: 'incomplete', usage: { input_tokens: 7, output_tokens: 16 } }
  const event = { type: 'response.incomplete', response }
  const bytes = Buffer.from(`data: ${JSON.stringify(event)}\n\n`)
  expect(hear('responses', [bytes])).toMatchObject({
    usage: { input: 7, output: 16 },
    failure: null,
  })
})

const bytesOf = (...events: unknown[]) =>
  Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))

test.each<[WireFormat, unknown[], string]>([
  ['chat', [{ choices: [{ delta: {}, finish_reason: 'length' }] }], 'length'],
  ['messages', [{ type: 'message_delta', delta: { stop_reason: 'max_tokens' } }], 'length'],
  ['messages', [{ type: 'message_delta', delta: { stop_reason: 'refusal' } }], 'filter'],
  [
    'responses',
    [
      {
        type: 'response.incomplete',
        response: { incomplete_details: { reason: 'max_output_tokens' } },
      },
    ],
    'length',
  ],
  ['generate-content', [{ candidates: [{ finishReason: 'SAFETY' }] }], 'filter'],
])('%s tells why an answer ended early: %j', (format, sent, ending) => {
  expect(hear(format, [bytesOf(...sent)]).ending).toBe(ending)
})
