import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { collect } from '../../../support/clients/collect.ts'
import { vendorClients } from '../../../support/clients/vendor-clients.ts'
import { modelOf, type Pair, startPair } from '../../../support/gateway/pair.ts'
import { smallStreams } from '../../../support/upstreams/small-streams.ts'

let pair: Pair
let clients: ReturnType<typeof vendorClients>

beforeAll(async () => {
  pair = await startPair()
  pair.addChannelOf('responses', { settings: { endpoint_types: ['openai-response'] } })
  clients = vendorClients(pair.gateway)
})
beforeEach(() => pair.gateway.set({ RetryTimes: 0 }))
afterAll(() => pair.close())

const formats: readonly WireFormat[] = ['chat', 'messages', 'generate-content', 'responses']
const messages = [{ role: 'user' as const, content: 'Hi' }]

/** An answer as a client's SDK reads it: its text, the calls' ids, and the reported tokens. */
interface Heard {
  text: string
  ids: (string | undefined)[]
  input: number | undefined
  output: number | undefined
}

const ask: Readonly<Record<WireFormat, (model: string, stream: boolean) => Promise<Heard>>> = {
  async chat(model, stream) {
    const { completions } = clients.openai.chat
    const { usage, choices } = stream
      ? await completions
          .stream({ model, messages, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : await completions.create({ model, messages })
    const message = choices[0]?.message
    return {
      text: message?.content ?? '',
      ids: (message?.tool_calls ?? []).map(({ id }) => id),
      input: usage?.prompt_tokens,
      output: usage?.completion_tokens,
    }
  },
  async messages(model, stream) {
    const body = { model, messages, max_tokens: 50 }
    const { usage, content } = stream
      ? await clients.anthropic.messages.stream(body).finalMessage()
      : await clients.anthropic.messages.create(body)
    return {
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      ids: content.flatMap((block) => (block.type === 'tool_use' ? block.id : [])),
      input: usage.input_tokens,
      output: usage.output_tokens,
    }
  },
  async 'generate-content'(model, stream) {
    const body = { model, contents: 'Hi' }
    const { models } = clients.google
    const chunks = stream
      ? await collect(await models.generateContentStream(body))
      : [await models.generateContent(body)]
    const usage = chunks.at(-1)?.usageMetadata
    const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
    return {
      text: parts.map(({ text = '' }) => text).join(''),
      ids: parts.flatMap(({ functionCall }) => (functionCall ? [functionCall.id] : [])),
      input: usage?.promptTokenCount,
      output: usage?.candidatesTokenCount,
    }
  },
  async responses(model, stream) {
    const body = { model, input: 'Hi', store: false }
    const { usage, output, output_text } = stream
      ? await clients.openai.responses.stream(body).finalResponse()
      : await clients.openai.responses.create(body)
    return {
      text: output_text ?? '',
      ids: output.flatMap((item) => (item.type === 'function_call' ? item.call_id : [])),
      input: usage?.input_tokens,
      output: usage?.output_tokens,
    }
  },
}

/** A vendor's whole answer without usage. */
const silentAnswers: Readonly<Record<WireFormat, object>> = {
  chat: {
    ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' },
    ],
  },
  messages: {
    ...{ id: 'm', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
    content: [{ type: 'text', text: 'Hello there' }],
  },
  'generate-content': {
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts: [{ text: 'Hello there' }] },
        finishReason: 'STOP',
      },
    ],
  },
  responses: {
    ...{ id: 'r', object: 'response', created_at: 1, model: 'm', status: 'completed' },
    output: [
      {
        ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', text: 'Hello there', annotations: [] }],
      },
    ],
  },
}

const pairs = formats.flatMap((client) =>
  formats.filter((one) => one !== client).map((upstream) => ({ client, upstream })),
)

describe.each(pairs)('a $client client of a $upstream vendor that tells no usage', (one) => {
  const { client, upstream } = one
  const { begin, text, end } = smallStreams[upstream]
  const silent = (begin + text('Hello there') + end).replaceAll(
    /,?"(usage|usageMetadata)":\{[^{}]*\}/g,
    '',
  )

  test.each([true, false])('is told the estimate that is booked (stream: %s)', async (stream) => {
    pair.upstream.script(stream ? { chunks: [silent] } : { body: silentAnswers[upstream] })
    let heard: Heard | undefined
    const row = await pair.rowAfter(async () => {
      heard = await ask[client](modelOf[upstream], stream)
    })
    expect(heard).toMatchObject({
      text: 'Hello there',
      input: row.promptTokens,
      output: row.completionTokens,
    })
    expect(row.promptTokens).toBeGreaterThan(0)
    expect(row.completionTokens).toBeGreaterThan(0)
    const other = JSON.parse(row.other)
    expect(other.estimated).toBe(true)
    expect(other.loss).toContainEqual(
      expect.objectContaining({ path: 'usage', kind: 'approximated' }),
    )
  })
})

const cortex = {
  ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'Hello there',
        function_call: { name: '', arguments: '' },
      },
      finish_reason: 'stop',
    },
  ],
}

test.each(formats)(
  'a good answer with an empty `function_call` reaches a %s client',
  async (client) => {
    pair.upstream.script({ body: cortex })
    expect(await ask[client](modelOf.chat, false)).toMatchObject({ text: 'Hello there' })
  },
)

describe.each(['messages', 'generate-content', 'responses'] as const)(
  'two calls of one id reach a %s client',
  (client) => {
    const calls = ['get', 'put'].map((name, index) => ({
      ...{ index, id: 'call_0', type: 'function', function: { name, arguments: '{}' } },
    }))
    const head = { id: 'c', created: 1, model: 'm' }
    const chunk = (delta: object, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason }] })}\n\n`

    test.each([true, false])('as two, the same each time (stream: %s)', async (stream) => {
      const reply = stream
        ? { chunks: [chunk({ tool_calls: calls }), chunk({}, 'tool_calls'), 'data: [DONE]\n\n'] }
        : {
            body: {
              ...head,
              choices: [
                {
                  index: 0,
                  message: { role: 'assistant', content: null, tool_calls: calls },
                  finish_reason: 'tool_calls',
                },
              ],
            },
          }
      pair.upstream.script(reply, reply)
      const { ids } = await ask[client](modelOf.chat, stream)
      expect(ids[0]).toBe('call_0')
      expect(ids[1]).toMatch(/^call_0_\w+$/)
      expect((await ask[client](modelOf.chat, stream)).ids).toEqual(ids)
    })
  },
)

test('a vendor that counts from call_0 in every answer does not repeat an id of the history', async () => {
  const call = { id: 'call_0', type: 'function', function: { name: 'get', arguments: '{}' } }
  pair.upstream.script({
    body: {
      ...{ id: 'c', created: 1, model: 'm' },
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: null, tool_calls: [call] },
          finish_reason: 'tool_calls',
        },
      ],
    },
  })
  const { content } = await clients.anthropic.messages.create({
    model: modelOf.chat,
    max_tokens: 50,
    messages: [
      ...messages,
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'call_0', name: 'get', input: {} }],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'call_0', content: 'done' }],
      },
    ],
  })
  expect(content).toMatchObject([{ type: 'tool_use', id: expect.stringMatching(/^call_0_\w+$/) }])
})
