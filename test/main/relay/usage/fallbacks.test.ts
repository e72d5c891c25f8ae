import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decodeUsage } from '../../../../main/convert/messages/answer/usage.ts'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'
import type { Reply } from '../../../support/upstreams/scripted-upstream.ts'

/** Quota units of a million tokens that cost a dollar. */
const UNIT = 500_000 / 1_000_000
const FABLE = { input: 10 * UNIT, output: 50 * UNIT }
const OPUS = { input: 5 * UNIT, output: 25 * UNIT }

let pair: Pair

beforeAll(async () => {
  pair = await startPair({ empty: true })
  pair.addChannelOf('messages', {
    models: ['claude-fable-5', 'cheap-rescue'],
    modelMapping: { 'cheap-rescue': 'claude-opus-4-8' },
  })
  const ratios = { ModelRatio: { 'cheap-rescue': 0.5 }, CompletionRatio: { 'cheap-rescue': 2 } }
  pair.gateway.set(ratios)
})
afterAll(() => pair.close())

const cached = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
const counts = (input: number, output: number) => ({
  ...{ input_tokens: input, output_tokens: output, ...cached },
})
const entry = (type: string, model: string, input: number, output: number) => ({
  ...{ type, model, ...counts(input, output) },
})

const event = (type: string, fields: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

/** A message that began as the model that was asked, whole or as a stream. */
function reply(stream: boolean, stop: string, usage: object): Reply {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-fable-5' }
  if (!stream)
    return { body: { ...message, content: [], stop_reason: stop, stop_sequence: null, usage } }
  const begun = { ...message, content: [], stop_reason: null, usage: counts(400, 1) }
  return {
    chunks: [
      event('message_start', { message: begun }),
      event('message_delta', { delta: { stop_reason: stop }, usage }),
      event('message_stop', {}),
    ],
  }
}

async function rowOf(
  stream: boolean,
  stop: string,
  usage: object,
  { path = '/v1/messages', ...fields }: { path?: string; fallbacks?: unknown } = {},
) {
  pair.upstream.script(reply(stream, stop, usage))
  const told = await pair.send(path, {
    headers: { 'anthropic-version': '2023-06-01' },
    body: {
      ...{ model: 'claude-fable-5', max_tokens: 100, stream, ...fields },
      messages: [{ role: 'user', content: 'Hi' }],
    },
  })
  const [row] = pair.rowsOf(told)
  return { row, other: JSON.parse(row?.other ?? '{}') }
}

describe.each([
  ['whole', false],
  ['streamed', true],
])('an answer of Claude, %s,', (_how, stream) => {
  test('costs what the fallback does that Anthropic chose', async () => {
    const usage = {
      ...counts(412, 264),
      iterations: [
        entry('message', 'claude-fable-5', 408, 0),
        entry('fallback_message', 'claude-opus-4-8', 412, 264),
      ],
    }
    const { row, other } = await rowOf(stream, 'end_turn', usage, { fallbacks: 'default' })
    expect(row?.quota).toBe(412 * OPUS.input + 264 * OPUS.output)
    expect(row).toMatchObject({ promptTokens: 412, completionTokens: 264, isUnpriced: false })
    expect(other.answered_models).toEqual(['claude-opus-4-8'])
    expect(other.beside).toBeUndefined()
  })

  test('has the price of the name that the fallback has here', async () => {
    const iterations = [entry('fallback_message', 'claude-opus-4-8', 400, 200)]
    const fallbacks = [{ model: 'cheap-rescue' }]
    const usage = { ...counts(400, 200), iterations }
    const { row, other } = await rowOf(stream, 'end_turn', usage, { fallbacks })
    expect(row?.quota).toBe((400 + 200 * 2) * 0.5)
    expect(other.answered_models).toEqual(['cheap-rescue'])
  })

  test('costs also what the model had said that refused in the middle', async () => {
    const usage = {
      ...counts(900, 350),
      iterations: [
        entry('message', 'claude-fable-5', 400, 100),
        entry('message', 'claude-opus-4-8', 450, 50),
        entry('fallback_message', 'claude-opus-4-8', 500, 200),
      ],
    }
    const { row, other } = await rowOf(stream, 'end_turn', usage, { fallbacks: 'default' })
    const rescue = 950 * OPUS.input + 250 * OPUS.output
    expect(row?.quota).toBe(rescue + 400 * FABLE.input + 100 * FABLE.output)
    expect(row).toMatchObject({ promptTokens: 950, completionTokens: 250 })
    expect(other.beside).toMatchObject([{ models: ['claude-fable-5'] }])
  })

  test.each(['/v1/messages', '/v1/chat/completions'])(
    'that was refused before its first word costs nothing over %s',
    async (path) => {
      const { row, other } = await rowOf(stream, 'refusal', counts(400, 0), { path })
      expect(row).toMatchObject({ quota: 0, isUnpriced: false, promptTokens: 400 })
      expect(row?.completionTokens).toBe(0)
      expect(other.unbilled).toBe(true)
    },
  )

  test('has the price that was asked for where a vendor names its fallback without end', async () => {
    const iterations = [entry('fallback_message', 'm'.repeat(100_000), 412, 264)]
    const { row, other } = await rowOf(stream, 'end_turn', { ...counts(412, 264), iterations })
    expect(row?.quota).toBe(412 * FABLE.input + 264 * FABLE.output)
    expect(other.answered_models).toBeUndefined()
  })

  test('that was refused in the middle costs what was said', async () => {
    const { row, other } = await rowOf(stream, 'refusal', counts(400, 30))
    expect(row?.quota).toBe(400 * FABLE.input + 30 * FABLE.output)
    expect(other.unbilled).toBeUndefined()
  })
})

test('an advisor of the very model that answered instead is counted once, beside it', () => {
  const counts = (input_tokens: number, output_tokens: number) => ({ input_tokens, output_tokens })
  const model = 'claude-opus-4-8'
  const usage = decodeUsage({
    ...counts(400, 200),
    iterations: [
      { type: 'message', model: 'claude-fable-5', ...counts(400, 0) },
      { type: 'advisor_message', model, ...counts(1000, 50) },
      { type: 'fallback_message', model, ...counts(400, 200) },
    ],
  })
  expect(usage).toMatchObject({ answeredBy: model, input: 400, output: 200 })
  expect(usage?.others).toMatchObject([{ model, usage: { input: 1000, output: 50 } }])
})
