import { describe, expect, test } from 'vitest'
import type { AnswerTarget } from '../../../../main/convert/conversion.ts'
import type { ExchangeRequest, Part, ReasoningState } from '../../../../main/convert/exchange.ts'
import type { ExchangeResponse, StopReason } from '../../../../main/convert/exchange-response.ts'
import { readState } from '../../../../main/convert/reasoning/reasoning-state.ts'
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

const answer = (parts: Part[], reason: StopReason = 'end'): ExchangeResponse => ({
  id: 'msg_1',
  model: 'claude',
  created: null,
  choices: [{ parts, stop: { reason } }],
  usage: { input: 50, cachedInput: 20, cacheWrite: 5, output: 30, reasoning: 10 },
})

const signature: ReasoningState = {
  origin: 'messages',
  kind: 'signature',
  data: 'sig',
  model: 'claude',
}

const loop: Part[] = [
  { type: 'reasoning', sections: ['First.', 'Second.'], form: 'summary', state: signature },
  { type: 'text', text: 'I look.' },
  {
    type: 'call',
    id: 'toolu_1',
    name: 'exec_command',
    kind: 'function',
    arguments: '{"cmd":"ls"}',
  },
  { type: 'call', id: 'toolu_2', name: 'apply_patch', kind: 'freeform', arguments: '*** Begin' },
  {
    type: 'call',
    id: 'toolu_3',
    name: 'search',
    namespace: 'mcp__docs__',
    kind: 'function',
    arguments: '',
  },
  {
    type: 'call',
    id: 'toolu_4',
    name: 'tool_search',
    kind: 'function',
    arguments: '{"query":"x"}',
  },
]

const lastOf = (events: readonly Json[]) => events[events.length - 1] as Json

const outputOf = (events: readonly Json[]) => (lastOf(events).response as Json).output as Json[]

describe('an answer of another vendor, as Codex reads it', () => {
  const events = write(spreadResponse(answer(loop, 'tool-calls')))

  test('has every event in the vendor’s order, numbered from 0', () => {
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index))
    const message = ['output_item.added', 'content_part.added', 'output_text.delta']
    const section = ['part.added', 'text.delta', 'text.done', 'part.done']
    expect(events.map(({ type }) => String(type).replace(/^response\./, ''))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      ...[...section, ...section].map((name) => `reasoning_summary_${name}`),
      'output_item.done',
      ...message,
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'output_item.added',
      'custom_tool_call_input.delta',
      'custom_tool_call_input.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'output_item.added',
      'output_item.done',
      'completed',
    ])
  })

  test('has names, kinds and namespaces that the client offered', () => {
    expect(outputOf(events).slice(2)).toMatchObject([
      { type: 'function_call', call_id: 'toolu_1', name: 'exec_command', status: 'completed' },
      { type: 'custom_tool_call', call_id: 'toolu_2', name: 'apply_patch', input: '*** Begin' },
      { type: 'function_call', name: 'search', namespace: 'mcp__docs__', arguments: '{}' },
      {
        type: 'tool_search_call',
        call_id: 'toolu_4',
        execution: 'client',
        arguments: { query: 'x' },
      },
    ])
  })

  test('ends with the items that it has told of, by the same ids', () => {
    const done = events.filter(({ type }) => type === 'response.output_item.done')
    expect(done.map(({ item }) => item)).toEqual(outputOf(events))
    expect(done.map(({ output_index: index }) => index)).toEqual([0, 1, 2, 3, 4, 5])
    const ids = outputOf(events).map(({ id }) => String(id))
    expect(ids.map((id) => id.split('_')[0])).toEqual(['rs', 'msg', 'fc', 'ctc', 'fc', 'tsc'])
    for (const event of events) {
      if ('item_id' in event) expect(event.item_id).toBe(ids[Number(event.output_index)])
    }
  })

  test('carries the other vendor’s state so that the client gives it back', () => {
    const [thought] = outputOf(events)
    expect(readState(String(thought?.encrypted_content), 'responses', 'encrypted')).toEqual(
      signature,
    )
    const again = responsesConversion.decodeRequest({ input: outputOf(events) }, {})
    expect(again.turns[0]?.parts[0]).toMatchObject({
      sections: ['First.', 'Second.'],
      state: signature,
    })
  })

  test('tells usage and what the client asked for', () => {
    expect(events.at(-1)?.response).toMatchObject({
      id: 'resp_20261121a1',
      object: 'response',
      created_at: 1_790_000_000,
      status: 'completed',
      model: 'asked',
      error: null,
      incomplete_details: null,
      instructions: 'You are Codex.',
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: { effort: 'xhigh', summary: 'auto' },
      store: false,
      tool_choice: 'auto',
      tools: codexBody.tools,
      text: codexBody.text,
      truncation: 'disabled',
      metadata: {},
      usage: {
        input_tokens: 50,
        input_tokens_details: { cached_tokens: 20, cache_write_tokens: 5 },
        output_tokens: 30,
        output_tokens_details: { reasoning_tokens: 10 },
        total_tokens: 80,
      },
    })
    expect(events[0]?.response).toMatchObject({ status: 'in_progress', output: [], usage: null })
  })

  test('is the same answer whole', () => {
    const whole = responsesConversion.encodeResponse(answer(loop, 'tool-calls'), target)
    expect(whole).toEqual(events.at(-1)?.response)
  })
})

describe('the state of a call or a text', () => {
  const google: ReasoningState = {
    origin: 'generate-content',
    kind: 'signature',
    data: 'c2ln',
    model: 'gemini',
  }

  const echoed = (parts: Part[]): Part[] => {
    const input = outputOf(write(spreadResponse(answer(parts))))
    return responsesConversion.decodeRequest({ input }, {}).turns.flatMap((turn) => turn.parts)
  }

  test('comes back onto it from the client’s echo', () => {
    const parts: Part[] = [
      { type: 'text', text: 'Look.', state: google },
      { type: 'call', id: 'c1', name: 'f', kind: 'function', arguments: '{}', state: google },
      { type: 'call', id: 'c2', name: 'f', kind: 'function', arguments: '{}' },
    ]
    expect(echoed(parts)).toMatchObject(
      parts.map((part) => ({ type: part.type, ...('state' in part ? { state: google } : {}) })),
    )
  })

  test('comes back onto the right one of several texts in a row', () => {
    const parts = echoed([
      { type: 'text', text: 'Look.' },
      { type: 'text', text: 'There.', state: google },
      { type: 'text', text: 'Done.' },
    ])
    expect(parts.map((part) => 'state' in part)).toEqual([false, true, false])
  })
})

describe('how an answer ended', () => {
  const text: Part[] = [{ type: 'text', text: 'Half' }]
  const call: Part[] = [{ type: 'call', id: 'c', name: 'f', kind: 'function', arguments: '{"a' }]
  const refusal: Part[] = [{ type: 'refusal', text: 'No.' }]

  test.each([
    ['end', text, 'completed', null],
    ['stop-sequence', text, 'completed', null],
    ['length', text, 'incomplete', 'max_output_tokens'],
    ['context-window', text, 'incomplete', 'max_output_tokens'],
    ['length', call, 'incomplete', 'max_output_tokens'],
    ['tool-calls', call, 'completed', null],
    ['content-filter', text, 'incomplete', 'content_filter'],
    ['refusal', [], 'incomplete', 'content_filter'],
    ['refusal', refusal, 'completed', null],
    ['pause', text, 'completed', null],
    ['malformed', text, 'failed', null],
  ] as [StopReason, Part[], string, string | null][])('%s', (reason, parts, status, detail) => {
    const last = write(spreadResponse(answer(parts, reason))).at(-1)
    expect(last?.type).toBe(`response.${status}`)
    expect(last?.response).toMatchObject({
      status,
      incomplete_details: detail === null ? null : { reason: detail },
    })
  })

  test('a refusal without words says what its vendor said of it', () => {
    const stop = { reason: 'refusal', explanation: 'Blocked under the usage policy.' } as const
    const whole = answer([], 'refusal')
    const refused = { ...whole, choices: whole.choices.map((choice) => ({ ...choice, stop })) }
    const events = write(spreadResponse(refused))
    const deltas = events.filter(({ type }) => type === 'response.refusal.delta')
    expect(deltas).toMatchObject([{ delta: stop.explanation }])
    expect(outputOf(events)).toMatchObject([
      { type: 'message', content: [{ type: 'refusal', refusal: stop.explanation }] },
    ])
    expect(events.at(-1)?.type).toBe('response.incomplete')
  })

  test('a call or message that was cut does not look complete', () => {
    expect(outputOf(write(spreadResponse(answer(call, 'length'))))[0]?.status).toBe('incomplete')
    expect(outputOf(write(spreadResponse(answer(text, 'length'))))[0]?.status).toBe('incomplete')
  })

  test('by an error: told twice, with what had come', () => {
    const parts = spreadResponse(answer(text)).slice(0, 3)
    const events = write([...parts, { type: 'error', message: 'Gone.', status: 529, code: 'x' }])
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', code: 'x', error: { code: 'x' } },
      {
        type: 'response.failed',
        response: {
          status: 'failed',
          error: { code: 'x' },
          output: [{ status: 'incomplete', content: [{ text: 'Half' }] }],
        },
      },
    ])
  })

  test('by an error before anything came, still after response.created', () => {
    const events = write([{ type: 'error', message: 'Gone.', status: null, code: null }])
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'error',
      'response.failed',
    ])
  })
})
