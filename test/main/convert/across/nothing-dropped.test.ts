import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { findRecordings } from '../../../matrix/find-recordings.ts'
import { leavesOf } from '../../../matrix/leaves.ts'
import { isMeaningless } from '../../../matrix/meaningless.ts'
import { silentDrops, silentInRequest, unnoticed } from '../../../matrix/silent-drops.ts'
import * as claudeCode from '../../../support/agent-requests/claude-code.ts'
import * as codex from '../../../support/agent-requests/codex.ts'
import * as geminiCli from '../../../support/agent-requests/gemini-cli.ts'
import * as opencode from '../../../support/agent-requests/opencode.ts'
import { readWireAnswer } from '../../../support/recordings/read-wire-answer.ts'
import {
  recordedAnswerStreams,
  recordedAnswers,
  recordedRequests,
} from '../../../support/recordings/recorded-exchanges.ts'
import { smallCall } from '../../../support/stages/converting-through.ts'
import { formats } from '../../../support/strict/loops/stage.ts'
import { eventsOf, objectsOf, pass } from '../../../support/strict/loops/through.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'
import { PNG } from '../../../support/strict/requests/refused-by.ts'

const { recordings } = findRecordings(join(import.meta.dirname, '../../../fixtures'))

test('every recorded request, answer and stream is found by its shape', () => {
  const count = (kind: string) => recordings.filter((one) => one.kind === kind).length
  expect(count('request')).toBeGreaterThanOrEqual(recordedRequests.length)
  expect(count('answer')).toBeGreaterThanOrEqual(recordedAnswers.length)
  expect(count('stream')).toBe(recordedAnswerStreams.length)
})

test('what an answer may leave out of its request is missed where it is a request', () => {
  const leaves = leavesOf({
    temperature: 1,
    user: 'ann',
    max_output_tokens: 9,
    tool_choice: 'none',
  })
  expect(leaves).toHaveLength(4)
  expect(leaves.filter((leaf) => !isMeaningless(leaf, false))).toEqual([])
  expect(leaves.filter((leaf) => isMeaningless(leaf, true))).toEqual([])
})

test.each(['request', 'answer', 'stream'] as const)('what is dropped in a %s is seen', (kind) => {
  const losses = (path: string) => [{ path, kind: 'dropped', note: '' }] as const
  const body = { kept: 'a', told: { inner: 'b' }, silent: [{ deep: 'c' }, { deep: 'd' }] }
  const run = ({ kept }: Json) => ({ out: kept, losses: losses('told') })
  expect(unnoticed(body, run, kind).map(({ path }) => path)).toEqual(['silent[0].deep'])
  const half = ({ kept, silent }: Json) => ({
    out: [kept, (silent as Json[])[0]],
    losses: losses('told.inner'),
  })
  const isStream = kind === 'stream'
  expect(unnoticed(body, half, kind).map(({ path }) => path)).toEqual(
    isStream ? [] : ['silent[1].deep'],
  )
})

test.each(formats)('nothing of what %s says is dropped without a word', (format) => {
  const silent = recordings
    .filter((one) => one.format === format && one.kind !== 'error')
    .flatMap((one) =>
      formats.flatMap((to) =>
        silentDrops(one, to).map(({ path }) => `${one.name} to ${to}: ${path}`),
      ),
    )
  expect(silent).toEqual([])
})

const agents: readonly [string, WireFormat, object][] = [
  ['Claude Code', 'messages', claudeCode],
  ['Codex', 'responses', codex],
  ['Gemini CLI', 'generate-content', geminiCli],
  ['opencode', 'chat', opencode],
]

test.each(agents)('nothing of what %s sends is dropped without a word', (_, format, file) => {
  const bodies = Object.values(file).flatMap((make: unknown) =>
    typeof make === 'function' ? [make('some-model') as Json] : [],
  )
  expect(bodies.length).toBeGreaterThan(0)
  const silent = bodies.flatMap((body) =>
    formats
      .filter((to) => to !== format)
      .flatMap((to) => silentInRequest(format, to, body).map(({ path }) => `to ${to}: ${path}`)),
  )
  expect(silent).toEqual([])
})

const drawn = {
  id: 'resp_1',
  object: 'response',
  model: 'm',
  status: 'completed',
  output: [
    {
      type: 'image_generation_call',
      id: 'ig_1',
      status: 'completed',
      result: PNG,
      output_format: 'png',
    },
  ],
  usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
}
const picture = { inlineData: { mimeType: 'image/png', data: PNG } }
const sourced = {
  candidates: [
    {
      content: { role: 'model', parts: [picture] },
      finishReason: 'STOP',
      groundingMetadata: { groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }] },
    },
  ],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 },
}
const lost = ({ losses }: { losses: readonly { path: string }[] }) => losses.map(({ path }) => path)

describe('of an answer', () => {
  test.each(['whole', 'streamed'])('a drawn image reaches a Gemini client, %s', (way) => {
    const call = smallCall('generate-content', 'responses')
    const objects = way === 'whole' ? [call.whole(drawn)] : objectsOf(call.spread(drawn))
    expect(JSON.stringify(objects)).toContain(
      `"inlineData":{"mimeType":"image/png","data":"${PNG}"`,
    )
  })

  test.each(['chat', 'responses', 'messages'] as const)(
    'that is an image alone, %s clients get the sources, or a loss',
    (client) => {
      const event = [{ event: null, data: JSON.stringify(sourced) }]
      for (const run of ['whole', 'stream'] as const) {
        const call = smallCall(client, 'generate-content')
        const seen = JSON.stringify(run === 'whole' ? call.whole(sourced) : call.stream(event))
        if (client === 'messages') expect(lost(call)).toContain('answer.citations')
        else expect(seen).toContain('https://a.example')
      }
    },
  )

  test.each(['chat', 'responses'] as const)(
    'that quotes the client’s own document, %s clients get no source and a loss that says why',
    (client) => {
      const cited = { type: 'page_location', cited_text: 'Tea.', document_title: 'Notes' }
      const content = [{ type: 'text', text: 'Tea.', citations: [cited] }]
      const call = smallCall(client, 'messages')
      call.whole({ type: 'message', model: 'm', content, stop_reason: 'end_turn' })
      expect(call.losses).toMatchObject([
        { path: 'answer.citations', kind: 'dropped', reason: { code: 'client_cites_addresses' } },
      ])
    },
  )

  test('what a vendor’s own tool did is a loss where it does not show', () => {
    const block = {
      type: 'bash_code_execution_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [],
    }
    const message = {
      type: 'message',
      model: 'm',
      content: [block, { type: 'text', text: 'Done.' }],
      stop_reason: 'end_turn',
    }
    const call = smallCall('chat', 'messages')
    expect(readWireAnswer('chat', [call.whole(message)]).text).toBe('Done.')
    expect(lost(call)).toContain('answer.bash_code_execution_tool_result')
  })

  test.each([
    ['with words is told as text', { type: 'poem', text: 'Roses are red.' }, 'Roses are red.'],
    ['without words is a loss', { type: 'poem', rhyme: 'AABB' }, ''],
  ])('a part of an unknown kind %s', (_, block, text) => {
    for (const client of ['chat', 'responses', 'generate-content'] as const) {
      const message = { type: 'message', model: 'm', content: [block], stop_reason: 'end_turn' }
      const call = smallCall(client, 'messages')
      expect(readWireAnswer(client, [call.whole(message)]).text).toBe(text)
      expect(lost(call)).toContain('answer.poem')
      const streamed = smallCall(client, 'messages')
      const start = { type: 'content_block_start', index: 0, content_block: block }
      const events = [
        { type: 'message_start', message: { ...message, content: [] } },
        start,
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
        { type: 'message_stop' },
      ].map((event) => ({ event: event.type, data: JSON.stringify(event) }))
      expect(readWireAnswer(client, objectsOf(streamed.stream(events))).text).toBe(text)
      expect(lost(streamed)).toContain('answer.poem')
    }
  })

  test('the summary of the turns before is no text of it', () => {
    const block = { type: 'compaction', content: 'They spoke of tea.' }
    const content = [block, { type: 'text', text: 'Tea it is.' }]
    const message = { type: 'message', model: 'm', content, stop_reason: 'end_turn' }
    const call = smallCall('chat', 'messages')
    expect(readWireAnswer('chat', [call.whole(message)]).text).toBe('Tea it is.')
    expect(lost(call)).toEqual(['answer.compaction'])
  })

  test('a second one that nobody asked for is a loss', () => {
    const choice = (index: number) => ({
      index,
      message: { role: 'assistant', content: 'Hi' },
      finish_reason: 'stop',
    })
    const call = smallCall('messages', 'chat')
    call.whole({ id: 'c', model: 'm', choices: [choice(0), choice(1)] })
    expect(lost(call)).toEqual(['answer.choices[1]'])
  })

  test('what a chat vendor says beside the known fields is a loss, in a stream too', () => {
    const chunk = (delta: Json, rest: Json = {}) => ({
      id: 'c',
      model: 'm',
      choices: [{ index: 0, delta, finish_reason: null }],
      ...rest,
    })
    const end = {
      id: 'c',
      model: 'm',
      choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
      timings: { ms: 3 },
    }
    const text = [chunk({ content: 'Hi', provider_metadata: { a: 1 } }), end]
      .map((one) => `data: ${JSON.stringify(one)}\n\n`)
      .join('')
    const call = smallCall('responses', 'chat')
    call.stream(eventsOf(`${text}data: [DONE]\n\n`))
    expect(lost(call)).toEqual(['answer.provider_metadata', 'answer.timings'])
  })
})

describe('of a request', () => {
  const call = { model: 'm', max_tokens: 64 }
  const wrapped: Readonly<Record<WireFormat, (part: Json) => Json>> = {
    chat: (part) => ({ ...call, messages: [{ role: 'user', content: [part] }] }),
    messages: (part) => ({ ...call, messages: [{ role: 'user', content: [part] }] }),
    'generate-content': ({ type, ...part }) => ({
      contents: [{ role: 'user', parts: [{ [String(type)]: part }] }],
    }),
    responses: (part) => ({ model: 'm', input: [{ role: 'user', content: [part] }] }),
  }
  const places: Readonly<Record<WireFormat, string>> = {
    chat: 'messages[0].content[0]',
    messages: 'messages[0].content[0]',
    'generate-content': 'contents[0].parts[0]',
    responses: 'input[0].content[0]',
  }
  const ways = formats.flatMap((from) =>
    formats.filter((to) => to !== from).map((to) => [from, to] as const),
  )

  test.each(ways)('content of an unknown kind is refused by its path, %s to %s', (from, to) => {
    const part = { type: 'document_url', document_url: { url: 'https://a.example/a.pdf' } }
    expect(() => pass(from, to, wrapped[from](part))).toThrow(
      new RegExp(`^${places[from].replaceAll(/[[\]]/g, '\\$&')}: is of the kind document_?[uU]rl`),
    )
    const tool = { type: 'tool_addition', tool: { name: 'f' } }
    expect(() => pass(from, to, wrapped[from](tool))).toThrow(/of the kind tool_?[aA]ddition/)
  })

  test.each(ways.filter(([from]) => from !== 'generate-content'))(
    'content of an unknown kind that has words goes as text, %s to %s',
    (from, to) => {
      const { body, losses } = pass(from, to, wrapped[from]({ type: 'poem', text: 'Roses' }))
      expect(JSON.stringify(body)).toContain('Roses')
      expect(losses).toMatchObject([{ path: places[from], kind: 'approximated' }])
    },
  )

  test('a hint to another vendor is left out with a word', () => {
    for (const to of ['chat', 'responses', 'generate-content'] as const) {
      const content = [{ type: 'text', text: 'Hi' }, { type: 'fallback' }]
      const { losses } = pass('messages', to, { ...call, messages: [{ role: 'user', content }] })
      expect(losses).toMatchObject([{ path: 'messages[0].content[1]', kind: 'dropped' }])
    }
  })

  test.each(['chat', 'messages', 'responses'] as const)(
    'tools that stand there alone, without their list, reach %s',
    (to) => {
      const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
      const tools = { functionDeclarations: [{ name: 'get_time', description: 'Tells the time.' }] }
      const { body } = pass('generate-content', to, { contents, tools })
      expect(JSON.stringify(body.tools)).toContain('get_time')
    },
  )

  const searching: Readonly<Record<WireFormat, (choice: unknown) => Json>> = {
    chat: (tool_choice) => ({
      ...wrapped.chat({ type: 'text', text: 'Hi' }),
      web_search_options: {},
      tool_choice,
    }),
    messages: () => ({
      ...wrapped.messages({ type: 'text', text: 'Hi' }),
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      tool_choice: { type: 'any' },
    }),
    'generate-content': () => ({}),
    responses: (tool_choice) => ({
      model: 'm',
      input: 'Hi',
      tools: [{ type: 'web_search' }],
      tool_choice,
    }),
  }

  test.each(ways.filter(([from]) => from === 'messages' || from === 'responses'))(
    'a call that must be made of a vendor’s own tool is asked for, refused, or told of, %s to %s',
    (from, to) => {
      const rules = { hostedTools: ['web-search'] } as const
      let told = ''
      try {
        const { body, losses } = pass(from, to, searching[from]('required'), {
          rules: rules as never,
        })
        told = `${JSON.stringify(body.tool_choice ?? null)} ${losses.map(({ path }) => path).join()}`
      } catch (error) {
        told = String(error)
      }
      expect(told).toMatch(/required|"any"|tool_choice/)
    },
  )
})
