// What it costs to change a call's wire format, as a ratio to JSON.parse plus JSON.stringify of the same
// text, which is the least that any conversion does. Aim: at most 4 for a request, and for a stream under
// 0.1 ms a chunk.
//
//   npx tsx test/bench/convert.ts
import { codecOf } from '../../main/convert/codecs.ts'
import { parseExact, stringifyExact } from '../../main/convert/exact-json.ts'
import type { WireFormat } from '../../main/convert/exchange.ts'
import { fitTools } from '../../main/convert/fit-tools.ts'
import { Loss } from '../../main/convert/loss.ts'
import { modelRules } from '../../main/convert/model-rules.ts'

const formats: readonly WireFormat[] = ['chat', 'messages', 'generate-content', 'responses']
const models: Record<WireFormat, string> = {
  chat: 'gpt-5.5',
  messages: 'claude-opus-5',
  'generate-content': 'gemini-3-pro-preview',
  responses: 'gpt-5.5',
}
const REQUEST_BYTES = 100 * 1024
const ROUNDS = 200

/** An agent's conversation of about 100 KB: prose, tools, calls and their results. */
function conversation(): Record<string, unknown> {
  const prose = 'The parser reads one line after the other and keeps what it has seen so far. '
  const messages: Record<string, unknown>[] = [{ role: 'user', content: prose.repeat(4) }]
  const tools = Array.from({ length: 12 }, (_, index) => ({
    type: 'function',
    function: {
      name: `tool_${index}`,
      description: prose.repeat(3),
      parameters: {
        type: 'object',
        properties: { path: { type: 'string' }, lines: { type: 'integer' } },
        required: ['path'],
      },
    },
  }))
  while (JSON.stringify({ messages, tools }).length < REQUEST_BYTES) {
    const id = `call_${messages.length}`
    messages.push(
      {
        role: 'assistant',
        content: prose,
        tool_calls: [
          {
            id,
            type: 'function',
            function: {
              name: 'tool_1',
              arguments: JSON.stringify({ path: `src/${id}.ts`, lines: 40 }),
            },
          },
        ],
      },
      { role: 'tool', tool_call_id: id, content: prose.repeat(20) },
    )
  }
  return { model: models.chat, max_completion_tokens: 4096, messages, tools }
}

function encode(body: Record<string, unknown>, from: WireFormat, to: WireFormat): string {
  const client = codecOf(from).conversion
  const loss = new Loss(client.fieldNames)
  const model = models[to]
  const rules = modelRules(to, model)
  const request = { ...client.decodeRequest(body, {}), model }
  const fitted = fitTools(request, to, rules, loss)
  return stringifyExact(
    codecOf(to).conversion.encodeRequest(fitted.request, { model, rules, loss }),
  )
}

/** Milliseconds of one run, as the median of many. */
function time(run: () => void): number {
  for (let warm = 0; warm < 30; warm++) run()
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    run()
    times.push(performance.now() - began)
  }
  return times.sort((one, other) => one - other)[ROUNDS / 2] ?? 0
}

const rows: string[][] = []
for (const from of formats) {
  const text = encode(conversation(), 'chat', from)
  const floor = time(() => JSON.stringify(JSON.parse(text)))
  for (const to of formats) {
    if (to === from) continue
    const spent = time(() => encode(parseExact(text) as Record<string, unknown>, from, to))
    rows.push([`${from} → ${to}`, `${spent.toFixed(2)} ms`, `${(spent / floor).toFixed(1)}×`])
  }
}
console.log('| request of 100 KB | time | parse + stringify |\n| --- | ---: | ---: |')
for (const row of rows) console.log(`| ${row.join(' | ')} |`)

const CHUNKS = 2000
const chat = codecOf('chat').conversion
const chunk = (delta: unknown, finish: string | null = null) => ({
  event: null,
  data: JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'gpt-5.5',
    choices: [{ index: 0, delta, finish_reason: finish }],
  }),
})
const events = [
  chunk({ role: 'assistant', content: '' }),
  ...Array.from({ length: CHUNKS }, () => chunk({ content: ' token' })),
  chunk({}, 'stop'),
  { event: null, data: '[DONE]' },
]
console.log('\n| stream from chat | a chunk |\n| --- | ---: |')
for (const to of formats) {
  const request = chat.decodeRequest({ messages: [{ role: 'user', content: 'Hi' }] }, {})
  const spent = time(() => {
    const decoder = chat.createDecoder()
    const target = { id: 'r1', model: 'm', request, estimatedInput: 10, created: 1 }
    const encoder = codecOf(to).conversion.createEncoder(target)
    for (const event of events) for (const part of decoder.push(event)) encoder.push(part)
  })
  console.log(`| chat → ${to} | ${((spent / events.length) * 1000).toFixed(1)} µs |`)
}
