import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../main/convert/exchange.ts'
import { BIG, loopTurns } from '../../support/strict/loops/loop-script.ts'
import {
  content,
  expectLoop,
  expectResults,
  failure,
  fileSchema,
  formats,
  keepingFetch,
  listing,
  modelsOf,
  noteSchema,
  question,
  type SeenTurn,
  type Stage,
  startStage,
  systemText,
} from '../../support/strict/loops/stage.ts'
import { PNG } from '../../support/strict/requests/refused-by.ts'

let stage: Stage
let client: Anthropic
const { fetch, texts } = keepingFetch()

beforeAll(async () => {
  stage = await startStage()
  client = new Anthropic({
    apiKey: stage.gateway.key,
    baseURL: stage.gateway.url,
    maxRetries: 0,
    fetch,
  })
})
afterAll(() => stage.close())

const tools: Anthropic.Tool[] = [
  { name: 'list_files', input_schema: { type: 'object', properties: {} } },
  {
    name: 'write_note',
    description: 'Writes.',
    input_schema: noteSchema as Anthropic.Tool.InputSchema,
  },
  { name: 'read_file', input_schema: fileSchema as Anthropic.Tool.InputSchema },
]

function ask(model: string, messages: Anthropic.MessageParam[], stream: boolean) {
  const thinking: Anthropic.ThinkingConfigParam =
    model === 'claude-sonnet-4-5'
      ? { type: 'enabled', budget_tokens: 2000 }
      : { type: 'adaptive', display: 'summarized' }
  const body = {
    model,
    max_tokens: 8000,
    system: [
      { type: 'text' as const, text: systemText, cache_control: { type: 'ephemeral' as const } },
    ],
    messages,
    tools,
    thinking,
  }
  return stream
    ? client.messages.stream(body).finalMessage()
    : client.messages.create({ ...body, stream: false })
}

const usesOf = (message: Anthropic.Message) =>
  message.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))

function seen(message: Anthropic.Message): SeenTurn {
  const { usage } = message
  const cachedInput = usage.cache_read_input_tokens ?? 0
  const cacheWrite = usage.cache_creation_input_tokens ?? 0
  return {
    thinking: message.content
      .map((block) => (block.type === 'thinking' ? block.thinking : ''))
      .join(''),
    text: message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    calls: usesOf(message).map(({ name, input }) => ({ name, arguments: input })),
    stop: message.stop_reason,
    usage: {
      input: usage.input_tokens + cachedInput + cacheWrite,
      cachedInput,
      cacheWrite,
      output: usage.output_tokens,
      reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
    },
  }
}

async function runLoop(model: string, stream: boolean): Promise<Anthropic.Message[]> {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }]
  const first = await ask(model, messages, stream)
  const [list, note] = usesOf(first)
  messages.push(
    { role: 'assistant', content: first.content },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: list?.id ?? '',
          content: [
            { type: 'text', text: listing },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          ],
        },
        {
          type: 'tool_result',
          tool_use_id: note?.id ?? '',
          content: failure,
          is_error: true,
        },
      ],
    },
  )
  const second = await ask(model, messages, stream)
  const [read] = usesOf(second)
  messages.push(
    { role: 'assistant', content: second.content },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: read?.id ?? '',
          content,
          cache_control: { type: 'ephemeral' },
        },
      ],
    },
  )
  return [first, second, await ask(model, messages, stream)]
}

async function check(format: WireFormat, model: string, stream: boolean): Promise<SeenTurn[]> {
  const upstream = stage.upstreams[format]
  upstream.refusals.length = 0
  texts.length = 0
  const answers = await runLoop(model, stream)
  const turns = answers.map(seen)
  expectLoop(turns, ['tool_use', 'tool_use', 'end_turn'], 'messages', upstream)
  expectResults('messages', upstream, model)
  const ids = answers.flatMap(usesOf).map(({ id }) => id)
  expect(new Set(ids).size).toBe(3)
  for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
  const first = stream
    ? [...(texts[0] ?? '').matchAll(/"partial_json":("(?:[^"\\]|\\.)*")/g)]
        .map(([, piece]) => JSON.parse(piece ?? '""'))
        .join('')
    : texts[0]
  expect(first).toContain(BIG)
  return turns
}

describe.each(formats)('an Anthropic client on %s', (format) => {
  const [model] = modelsOf[format]

  test.each([true, false])('three turns of a tool loop, streamed: %s', async (stream) => {
    const turns = await check(format, model, stream)
    expect(turns.map(({ thinking }) => thinking)).toEqual(loopTurns.map((turn) => turn.thinking))
    if (!stream) return
    const start = /event: message_start\ndata: (.*)\n/.exec(texts[0] ?? '')?.[1] ?? ''
    expect(JSON.parse(start).message.usage.input_tokens).toBeGreaterThan(0)
  })
})

describe.each([
  ['chat', 'gpt-5.4'],
  ['messages', 'claude-sonnet-4-5'],
  ['generate-content', 'gemini-2.5-flash'],
] as const)('an Anthropic client on %s with %s', (format, model) => {
  test.each([true, false])('three turns, streamed: %s', async (stream) => {
    await check(format, model, stream)
  })
})

test('a conversation goes on at another vendor, and back', async () => {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }]
  const order = ['messages', 'generate-content', 'responses', 'chat', 'messages'] as const
  for (const format of order) {
    const upstream = stage.upstreams[format]
    upstream.refusals.length = 0
    const answer = await ask(modelsOf[format][0], messages, true)
    expect(upstream.refusals).toEqual([])
    messages.push({ role: 'assistant', content: answer.content })
    const results = usesOf(answer).map(({ id }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: listing,
    }))
    messages.push({ role: 'user', content: results.length > 0 ? results : 'Go on.' })
  }
})
