// The cost of changing a call's wire format. Requests: milliseconds for 100 KB, and as a ratio to
// JSON.parse plus JSON.stringify of the same text, the least that any conversion does (aims: under 3 ms, at
// most 4×). Streams: microseconds a chunk (aim: under 100). Medians; the two of a ratio are taken in turns,
// so that a machine that is busy for a while slows both.
//
//   node test/bench/convert.mjs       as the product is built
//   npx tsx test/bench/convert.ts     without a build; some 20 % slower
import { availableParallelism, loadavg } from 'node:os'
import { conversionOf } from '../../main/convert/codecs.ts'
import type { ExchangeRequest, Part, WireFormat } from '../../main/convert/exchange.ts'
import { parseExact, stringifyExact } from '../../main/convert/json/exact-json.ts'
import { Loss } from '../../main/convert/loss.ts'
import { modelRules } from '../../main/convert/model/model-rules.ts'
import type { StreamPart } from '../../main/convert/stream/stream-part.ts'
import { fitTools } from '../../main/convert/tools/fit-tools.ts'
import { ReasoningMemory } from '../../main/relay/memory/reasoning-memory.ts'
import { ConvertingScanner } from '../../main/relay/translate/converting-scanner.ts'

const formats: readonly WireFormat[] = ['chat', 'messages', 'generate-content', 'responses']
const models: Readonly<Record<WireFormat, string>> = {
  chat: 'gpt-5.5',
  messages: 'claude-opus-5',
  'generate-content': 'gemini-3-pro-preview',
  responses: 'gpt-5.5',
}
const pairs = formats.flatMap((from) =>
  formats.filter((to) => to !== from).map((to) => ({ from, to })),
)

const REQUEST_BYTES = 100 * 1024
const ROUNDS = 200
const WARM_ROUNDS = 50
const MOST_MILLISECONDS = 3
const MOST_RATIO = 4
const MOST_MICROSECONDS = 100

/** Milliseconds that each of these takes, as the median of many runs in turns. */
function timesOf(...runs: readonly (() => unknown)[]): number[] {
  for (let round = 0; round < WARM_ROUNDS; round++) for (const run of runs) run()
  const times = runs.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, run] of runs.entries()) {
      const began = performance.now()
      run()
      times[index]?.push(performance.now() - began)
    }
  }
  return times.map((taken) => taken.sort((one, other) => one - other)[ROUNDS / 2] ?? Number.NaN)
}

const prose = 'The parser reads one line after the other and keeps what it has seen so far. '
const code = '  if (this.#held === \'\') return null // version 1.0.2\n\tconst name = "größe"\n'

/** An agent's conversation of about 100 KB: tools, prose, calls two at a time, and files that they read. */
function conversation(): Record<string, unknown> {
  const messages: Record<string, unknown>[] = [
    { role: 'system', content: prose.repeat(40) },
    { role: 'user', content: prose.repeat(4) },
  ]
  const tools = Array.from({ length: 12 }, (_, index) => ({
    type: 'function',
    function: {
      name: `tool_${index}`,
      description: prose.repeat(3),
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Where the file lies.' },
          lines: { type: 'integer', minimum: 1 },
          mode: { type: 'string', enum: ['text', 'bytes'] },
        },
        required: ['path'],
        additionalProperties: false,
      },
    },
  }))
  while (JSON.stringify({ messages, tools }).length < REQUEST_BYTES) {
    const ids = [`call_${messages.length}a`, `call_${messages.length}b`]
    const calls = ids.map((id) => ({
      id,
      type: 'function',
      function: { name: 'tool_1', arguments: JSON.stringify({ path: `src/${id}.ts`, lines: 40 }) },
    }))
    const results = ids.map((id) => ({
      role: 'tool',
      tool_call_id: id,
      content: code.repeat(20),
    }))
    messages.push({ role: 'assistant', content: prose, tool_calls: calls }, ...results)
  }
  return { model: models.chat, max_completion_tokens: 4096, messages, tools }
}

/** The upstream's thoughts before each call, kept for clients that echo none of them: the most expensive case. */
function memoryOf(text: string, from: WireFormat, to: WireFormat): ReasoningMemory {
  const memory = new ReasoningMemory()
  const state = { origin: to, kind: 'signature', data: 'c2ln'.repeat(50), model: null } as const
  const thought: Part = {
    type: 'reasoning',
    sections: ['Let me look at that file.'],
    form: 'raw',
    // Vendors that speak Chat want the words back.
    ...(to === 'chat' ? {} : { state }),
  }
  const body = parseExact(text) as Record<string, unknown>
  for (const { parts } of conversionOf(from).decodeRequest(body, {}).turns) {
    for (const part of parts) if (part.type === 'call') memory.remember('1', [thought, part])
  }
  return memory
}

/** The way of a body through the relay, from text to text. */
function convert(
  text: string,
  from: WireFormat,
  to: WireFormat,
  memory = new ReasoningMemory(),
): string {
  const client = conversionOf(from)
  const loss = new Loss(client.fieldNames)
  const model = models[to]
  const rules = modelRules(to, model)
  const body = parseExact(text) as Record<string, unknown>
  const request = { ...client.decodeRequest(body, {}), model }
  if (from !== to) client.refuseForeign?.(request, loss)
  const { request: fitted } = fitTools(memory.restore('1', request), conversionOf(to), rules, loss)
  return stringifyExact(conversionOf(to).encodeRequest(fitted, { model, rules, loss }))
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`)
  line(head)
  line(head.map((_, index) => (index === 0 ? '---' : '---:')))
  for (const row of rows) line(row)
  console.log('')
}

const [load = 0] = loadavg()
const processors = availableParallelism()
if (load > processors) {
  const busy = `load ${load.toFixed(1)} on ${processors} processors`
  console.log(`The machine is busy (${busy}): it does better when it is left alone.\n`)
}

const over = (isOver: boolean): string => (isOver ? ' (over)' : '')

const requestRows = pairs.map(({ from, to }) => {
  const text = convert(JSON.stringify(conversation()), 'chat', from)
  const memory = memoryOf(text, from, to)
  const [spent = Number.NaN, floor = Number.NaN] = timesOf(
    () => convert(text, from, to, memory),
    () => JSON.stringify(JSON.parse(text)),
  )
  const ratio = spent / floor
  return [
    `${from} → ${to}`,
    `${Math.round(text.length / 1024)} KB`,
    `${spent.toFixed(2)} ms${over(spent >= MOST_MILLISECONDS)}`,
    `${ratio.toFixed(1)}×${over(ratio > MOST_RATIO)}`,
  ]
})
printTable(['request', 'size', 'time', 'parse + stringify'], requestRows)

/** A long answer: thoughts, text, and a call whose arguments come in pieces. */
function* longAnswer(): Generator<StreamPart> {
  const choice = 0
  yield { type: 'response-start', id: 'r', model: 'm', created: 1 }
  yield { type: 'reasoning-start', block: 0, choice, form: 'summary' }
  for (let count = 0; count < 500; count++)
    yield { type: 'reasoning-delta', block: 0, section: 0, text: ' thought' }
  yield { type: 'reasoning-end', block: 0 }
  yield { type: 'text-start', block: 1, choice }
  for (let count = 0; count < 1000; count++) yield { type: 'text-delta', block: 1, text: ' token' }
  yield { type: 'text-end', block: 1 }
  yield { type: 'call-start', block: 2, choice, id: 'call_1', name: 'tool_1', kind: 'function' }
  yield { type: 'call-delta', block: 2, text: '{"text":"' }
  for (let count = 0; count < 500; count++) yield { type: 'call-delta', block: 2, text: ' words' }
  yield { type: 'call-delta', block: 2, text: '"}' }
  yield { type: 'call-end', block: 2 }
  yield { type: 'stop', choice, stop: { reason: 'tool-calls' } }
  const usage = { input: 9, cachedInput: 0, cacheWrite: 0, output: 9, reasoning: 1 }
  yield { type: 'usage', usage }
  yield { type: 'response-end' }
}

const asked: ExchangeRequest = {
  origin: 'chat',
  model: 'm',
  stream: true,
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
  tools: [],
  wantsStreamUsage: true,
}
const encoderOf = (format: WireFormat) =>
  conversionOf(format).createEncoder({
    id: 'r1',
    model: 'm',
    request: { ...asked, origin: format },
    estimatedInput: 10,
    created: 1,
  })

/** That answer as the chunks of an upstream's stream, one event each. */
function chunksOf(format: WireFormat): Buffer[] {
  const encoder = encoderOf(format)
  let text = ''
  for (const part of longAnswer()) text += encoder.push(part)
  return text
    .split(/(?<=\n\n)/)
    .filter((event) => event !== '')
    .map((event) => Buffer.from(event))
}

const streamRows = pairs.map(({ from: upstream, to: client }) => {
  const chunks = chunksOf(upstream)
  const [spent = Number.NaN] = timesOf(() => {
    const scanner = new ConvertingScanner({
      decoder: conversionOf(upstream).createDecoder(),
      restore: (part) => [part],
      encoder: encoderOf(client),
      estimateInput: () => 10,
      onPart: () => undefined,
    })
    for (const chunk of chunks) scanner.push(chunk)
    scanner.flush()
    if (!scanner.isWhole()) throw new Error(`the stream of ${upstream} did not end`)
  })
  const microseconds = (spent / chunks.length) * 1000
  return [
    `${upstream} → ${client}`,
    String(chunks.length),
    `${microseconds.toFixed(1)} µs${over(microseconds >= MOST_MICROSECONDS)}`,
  ]
})
printTable(['stream', 'chunks', 'a chunk'], streamRows)
