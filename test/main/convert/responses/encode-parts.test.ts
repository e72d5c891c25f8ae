import { describe, expect, test } from 'vitest'
import type { AnswerTarget } from '../../../../main/convert/conversion.ts'
import type { ExchangeRequest, Part } from '../../../../main/convert/exchange.ts'
import type { ExchangeResponse } from '../../../../main/convert/exchange-response.ts'
import { responsesConversion } from '../../../../main/convert/responses/conversion.ts'
import { spreadResponse } from '../../../../main/convert/stream/spread-response.ts'
import type { StreamPart } from '../../../../main/convert/stream/stream-part.ts'
import { objectsIn } from '../../../support/recordings/recorded-responses.ts'
import { codexBody } from './codex-body.ts'

type Json = Record<string, unknown>

const request: ExchangeRequest = responsesConversion.decodeRequest(codexBody, {})
const target: AnswerTarget = {
  id: '20261121a1',
  model: 'asked',
  request,
  estimatedInput: 77,
  created: 1_790_000_000,
}

function write(parts: readonly StreamPart[], to = target): Json[] {
  const encoder = responsesConversion.createEncoder(to)
  return objectsIn(parts.map((part) => encoder.push(part)).join(''))
}

const answer = (parts: Part[]): ExchangeResponse => ({
  id: 'msg_1',
  model: 'claude',
  created: null,
  choices: [{ parts, stop: { reason: 'end' } }],
  usage: { input: 50, cachedInput: 20, cacheWrite: 5, output: 30, reasoning: 10 },
})

const lastOf = (events: readonly Json[]) => events[events.length - 1] as Json

const outputOf = (events: readonly Json[]) => (lastOf(events).response as Json).output as Json[]

describe('parts that interleave', () => {
  test('each call keeps its own item', () => {
    const start = (block: number) =>
      ({
        type: 'call-start',
        block,
        choice: 0,
        id: `c${block}`,
        name: 'f',
        kind: 'function',
      }) as const
    const events = write([
      { type: 'response-start', id: 'x', model: 'm', created: 5 },
      start(0),
      start(1),
      { type: 'call-delta', block: 1, text: '{"b":' },
      { type: 'call-delta', block: 0, text: '{"a":1}' },
      { type: 'call-delta', block: 1, text: '2}' },
      { type: 'call-end', block: 0 },
      { type: 'call-end', block: 1 },
      { type: 'stop', choice: 0, stop: { reason: 'end' } },
      { type: 'response-end' },
    ])
    expect(outputOf(events)).toMatchObject([{ arguments: '{"a":1}' }, { arguments: '{"b":2}' }])
  })

  test('texts side by side share a message, a text after a call has its own', () => {
    const parts: Part[] = [
      { type: 'text', text: 'One.' },
      { type: 'text', text: 'Two.' },
      { type: 'call', id: 'c', name: 'f', kind: 'function', arguments: '{}' },
      { type: 'text', text: 'Three.' },
    ]
    const output = outputOf(write(spreadResponse(answer(parts))))
    expect(output).toMatchObject([
      { content: [{ text: 'One.' }, { text: 'Two.' }] },
      { type: 'function_call' },
      { content: [{ text: 'Three.' }] },
    ])
  })
})

describe('other parts', () => {
  test('citations are annotations, searches items, images items', () => {
    const parts: Part[] = [
      {
        type: 'hosted',
        tool: 'web-search',
        origin: 'messages',
        value: { type: 'server_tool_use', name: 'web_search', input: { query: 'bern' } },
      },
      {
        type: 'hosted',
        tool: 'web-search',
        origin: 'messages',
        value: { type: 'web_search_tool_result', content: [] },
      },
      {
        type: 'text',
        text: 'Bern.',
        citations: [{ type: 'url', url: 'https://a.example', title: null }],
      },
      {
        type: 'media',
        kind: 'image',
        source: { type: 'base64', mediaType: 'image/png', data: 'AAAA' },
      },
    ]
    const events = write(spreadResponse(answer(parts)))
    expect(outputOf(events)).toMatchObject([
      { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'bern' } },
      {
        content: [
          {
            annotations: [
              { type: 'url_citation', start_index: 0, end_index: 5, url: 'https://a.example' },
            ],
          },
        ],
      },
      { type: 'image_generation_call', result: 'AAAA' },
    ])
    expect(events.map(({ type }) => type)).toContain('response.web_search_call.searching')
  })

  test('a command for the client’s shell keeps the environment that the model set', () => {
    const tools = [{ type: 'local_shell' }]
    const to = { ...target, request: responsesConversion.decodeRequest({ input: 'Hi', tools }, {}) }
    const run = (args: Json): Part => ({
      ...{ type: 'call', id: 'c', name: 'local_shell', kind: 'function' },
      arguments: JSON.stringify(args),
    })
    const env = { LANG: 'C' }
    const parts = [run({ command: ['ls'], env }), run({ command: ['ls'] })]
    expect(outputOf(write(spreadResponse(answer(parts)), to))).toMatchObject([
      { type: 'local_shell_call', action: { type: 'exec', command: ['ls'], env } },
      { type: 'local_shell_call', action: { type: 'exec', command: ['ls'], env: {} } },
    ])
  })

  test('thoughts as they were are reasoning_text', () => {
    const parts: Part[] = [{ type: 'reasoning', sections: ['Hm.'], form: 'raw' }]
    const events = write(spreadResponse(answer(parts)))
    expect(events.map(({ type }) => type)).toContain('response.reasoning_text.delta')
    expect(outputOf(events)).toMatchObject([
      { summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] },
    ])
  })

  test('a thought without words and state is not told of', () => {
    const parts: Part[] = [{ type: 'reasoning', sections: [], form: 'summary' }]
    expect(outputOf(write(spreadResponse(answer(parts))))).toEqual([])
  })

  test('usage that the vendor keeps to itself is estimated', () => {
    const events = write(spreadResponse({ ...answer([{ type: 'text', text: 'Hi' }]), usage: null }))
    expect(events.at(-1)?.response).toMatchObject({ usage: { input_tokens: 77 } })
  })

  test('an answer without end is given up', () => {
    const encoder = responsesConversion.createEncoder(target)
    encoder.push({ type: 'text-start', block: 0, choice: 0 })
    const chunk: StreamPart = { type: 'text-delta', block: 0, text: 'x'.repeat(1024 * 1024) }
    expect(() => {
      for (let count = 0; count < 20; count++) encoder.push(chunk)
    }).toThrow('16 MiB')
  })
})
