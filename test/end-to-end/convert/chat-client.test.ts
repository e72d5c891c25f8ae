import OpenAI from 'openai'
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

type Message = OpenAI.ChatCompletionMessage & {
  reasoning_content?: string | null
  reasoning_details?: unknown[]
}

let stage: Stage
let client: OpenAI

beforeAll(async () => {
  stage = await startStage()
  client = new OpenAI({
    apiKey: stage.gateway.key,
    baseURL: `${stage.gateway.url}/v1`,
    maxRetries: 0,
  })
})
afterAll(() => stage.close())

const tool = (name: string, parameters?: Record<string, unknown>): OpenAI.ChatCompletionTool => ({
  type: 'function',
  function: { name, description: `Tool ${name}.`, ...(parameters && { parameters }) },
})

interface Answer {
  message: Message
  finish: string | null
  usage: OpenAI.CompletionUsage | undefined
}

/** Fields that vendors added to OpenAI's own, gathered as clients that know them do. */
interface Extras {
  thoughts: string
  details: unknown[]
  /** By the call's index. */
  ofCall: Map<number, unknown>
}

function gather(chunk: OpenAI.ChatCompletionChunk, extras: Extras): void {
  const delta = (chunk.choices[0]?.delta ?? {}) as {
    reasoning_content?: string
    reasoning_details?: unknown[]
    tool_calls?: { index: number; extra_content?: unknown }[]
  }
  extras.thoughts += delta.reasoning_content ?? ''
  extras.details.push(...(delta.reasoning_details ?? []))
  for (const { index, extra_content: extra } of delta.tool_calls ?? []) {
    if (extra !== undefined) extras.ofCall.set(index, extra)
  }
}

async function ask(
  model: string,
  messages: OpenAI.ChatCompletionMessageParam[],
  stream: boolean,
): Promise<Answer> {
  const body = {
    model,
    messages,
    tools: [tool('list_files'), tool('write_note', noteSchema), tool('read_file', fileSchema)],
    parallel_tool_calls: true,
    // gpt-5.4 refuses an effort together with tools.
    ...(/^gpt-(?:4o|5\.4)$/.test(model) ? {} : { reasoning_effort: 'high' as const }),
  }
  if (!stream) {
    const { choices, usage } = await client.chat.completions.create(body)
    const [choice] = choices
    if (!choice) throw new Error('The answer has no choice.')
    return { message: choice.message, finish: choice.finish_reason, usage }
  }
  const extras: Extras = { thoughts: '', details: [], ofCall: new Map() }
  const runner = client.chat.completions.stream({
    ...body,
    stream: true,
    stream_options: { include_usage: true },
  })
  runner.on('chunk', (chunk) => gather(chunk, extras))
  const { choices, usage } = await runner.finalChatCompletion()
  const [choice] = choices
  if (!choice) throw new Error('The answer has no choice.')
  const { role, content: text, refusal, tool_calls: calls } = choice.message
  const tools = (calls ?? []).map(({ id, type, function: { name, arguments: given } }, index) => ({
    id,
    type,
    function: { name, arguments: given },
    ...(extras.ofCall.has(index) && { extra_content: extras.ofCall.get(index) }),
  }))
  const message: Message = {
    role,
    content: text,
    refusal,
    ...(tools.length > 0 && { tool_calls: tools as OpenAI.ChatCompletionMessageToolCall[] }),
    ...(extras.thoughts !== '' && { reasoning_content: extras.thoughts }),
    ...(extras.details.length > 0 && { reasoning_details: extras.details }),
  }
  return { message, finish: choice.finish_reason, usage }
}

const callsOf = (message: Message) =>
  (message.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call] : []))

const seen = ({ message, finish, usage }: Answer): SeenTurn => ({
  thinking: message.reasoning_content ?? '',
  text: message.content ?? '',
  calls: callsOf(message).map((call) => ({
    name: call.function.name,
    arguments: JSON.parse(call.function.arguments || '{}'),
  })),
  stop: finish,
  usage: {
    input: usage?.prompt_tokens ?? 0,
    cachedInput: usage?.prompt_tokens_details?.cached_tokens ?? 0,
    cacheWrite:
      (usage?.prompt_tokens_details as { cache_write_tokens?: number } | undefined)
        ?.cache_write_tokens ?? 0,
    output: usage?.completion_tokens ?? 0,
    reasoning: usage?.completion_tokens_details?.reasoning_tokens ?? 0,
  },
})

/** `all` sends the message back as it came, `plain` only what the vendor's own reference names. */
const echo = (message: Message, how: 'all' | 'plain'): OpenAI.ChatCompletionMessageParam =>
  how === 'all'
    ? message
    : {
        role: 'assistant',
        content: message.content,
        ...(message.tool_calls && {
          tool_calls: callsOf(message).map(({ id, type, function: called }) => ({
            id,
            type,
            function: called,
          })),
        }),
      }

async function runLoop(model: string, stream: boolean, how: 'all' | 'plain'): Promise<Answer[]> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: systemText },
    { role: 'user', content: question },
  ]
  const first = await ask(model, messages, stream)
  const [list, note] = callsOf(first.message)
  messages.push(
    echo(first.message, how),
    { role: 'tool', tool_call_id: list?.id ?? '', content: listing },
    { role: 'tool', tool_call_id: note?.id ?? '', content: `Error: ${failure}` },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'The picture of list_files:' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
      ],
    },
  )
  const second = await ask(model, messages, stream)
  const [read] = callsOf(second.message)
  messages.push(echo(second.message, how), {
    role: 'tool',
    tool_call_id: read?.id ?? '',
    content: [{ type: 'text', text: content }],
  })
  return [first, second, await ask(model, messages, stream)]
}

async function check(format: WireFormat, model: string, stream: boolean, how: 'all' | 'plain') {
  const upstream = stage.upstreams[format]
  upstream.refusals.length = 0
  const answers = await runLoop(model, stream, how)
  const turns = answers.map(seen)
  expectLoop(turns, ['tool_calls', 'tool_calls', 'stop'], 'chat', upstream)
  expectResults('chat', upstream, model)
  const [list, note] = callsOf(answers[0]?.message as Message)
  expect(note?.function.arguments).toContain(BIG)
  expect(list?.id).not.toBe(note?.id)
  if (format !== 'chat') expect(list?.function.arguments).toBe('{}')
  return turns
}

describe.each(formats)('a chat client on %s', (format) => {
  const [model] = modelsOf[format]

  test.each([true, false])('three turns of a tool loop, streamed: %s', async (stream) => {
    const turns = await check(format, model, stream, 'all')
    expect(['', loopTurns[0].thinking]).toContain(turns[0]?.thinking)
  })

  if (format !== 'chat') {
    test.each([true, false])(
      'a client that sends back nothing but calls loses no reasoning, streamed: %s',
      async (stream) => {
        await check(format, model, stream, 'plain')
      },
    )
  }
})

describe.each([
  ['chat', 'gpt-5.4'],
  ['messages', 'claude-opus-4-8'],
  ['messages', 'claude-sonnet-4-5'],
  ['generate-content', 'gemini-2.5-flash'],
] as const)('a chat client on %s with %s', (format, model) => {
  test.each([true, false])('three turns, streamed: %s', async (stream) => {
    await check(format, model, stream, 'all')
  })
})

test('many conversations at once keep their reasoning apart', async () => {
  const runs = formats.flatMap((format) =>
    format === 'chat' ? [] : [1, 2, 3].map(() => runLoop(modelsOf[format][0], true, 'plain')),
  )
  for (const answers of await Promise.all(runs)) {
    expect(answers.at(-1)?.message.content).toBe(loopTurns[2].text)
  }
})
