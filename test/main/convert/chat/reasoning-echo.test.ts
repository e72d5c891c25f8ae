import { describe, expect, test } from 'vitest'
import { chatConversion } from '../../../../main/convert/chat/conversion.ts'
import type { Part, ReasoningPart, ReasoningState } from '../../../../main/convert/exchange.ts'
import { STATE_MARK } from '../../../../main/convert/reasoning/reasoning-state.ts'
import { spreadResponse } from '../../../../main/convert/stream/spread-response.ts'
import {
  answerTarget,
  callPart,
  deltasOf,
  encodeStream,
  encodeUnchecked,
  type Json,
  turn,
} from './small-exchange.ts'

const state = (
  origin: ReasoningState['origin'],
  kind: ReasoningState['kind'],
  data: string,
): ReasoningState => ({ origin, kind, data, model: 'their-model' })

const thought = (text: string, own?: ReasoningState): ReasoningPart => ({
  type: 'reasoning',
  sections: text === '' ? [] : [text],
  form: 'raw',
  ...(own ? { state: own } : {}),
})

const responseOf = (parts: Part[]) => ({
  id: 'up-1',
  model: 'their-model',
  created: 1,
  choices: [{ parts, stop: { reason: 'end' as const } }],
  usage: null,
})

/** The message as a whole answer has it. */
function answered(parts: Part[]): Json {
  const { choices } = chatConversion.encodeResponse(responseOf(parts), answerTarget())
  return (choices as { message: Json }[])[0]?.message ?? {}
}

/** The same put together from a stream's deltas, as a simple client does. */
function streamed(parts: Part[]): Json {
  const message: Json = { role: 'assistant', content: '' }
  const calls: Json[] = []
  for (const delta of deltasOf(encodeStream(spreadResponse(responseOf(parts))))) {
    for (const [name, value] of Object.entries(delta)) {
      if (name === 'tool_calls') {
        for (const { index, function: inner, ...rest } of value as Json[]) {
          const call = calls[index as number] ?? { function: { name: '', arguments: '' } }
          calls[index as number] = call
          const kept = call.function as Json
          const { name: called, arguments: text } = inner as Json
          Object.assign(call, rest)
          if (called) kept.name = called
          kept.arguments = `${kept.arguments}${text ?? ''}`
        }
      } else if (Array.isArray(value)) message[name] = [...((message[name] as []) ?? []), ...value]
      else if (name !== 'role') message[name] = `${message[name] ?? ''}${value}`
    }
  }
  return calls.length > 0 ? { ...message, tool_calls: calls } : message
}

/** The message as the gateway reads it when the client sends it back. */
const echoed = (message: Json): Part[] =>
  (
    chatConversion.decodeRequest(
      { model: 'm', messages: [{ role: 'user', content: 'x' }, message] },
      {},
    ).turns[1]?.parts ?? []
  ).map(({ at: _at, ...part }) => part as Part)

const answers: [string, Part[]][] = [
  [
    'Anthropic’s signature beside its text, in a tool loop',
    [thought('I look.', state('messages', 'signature', 'sig')), callPart('toolu_1')],
  ],
  [
    'two signed thoughts, each with its own text',
    [
      thought('First.', state('messages', 'signature', 'one')),
      thought('Second.', state('messages', 'signature', 'two')),
      { type: 'text', text: 'So.' },
    ],
  ],
  [
    'a thought without state before a signed and a redacted one',
    [
      thought('Plain.'),
      thought('Signed.', state('messages', 'signature', 'sig')),
      thought('', state('messages', 'redacted', 'hidden')),
      { type: 'text', text: 'So.' },
    ],
  ],
  [
    'OpenAI’s encrypted item with its summary',
    [thought('Summary.', state('responses', 'encrypted', 'enc')), callPart('call_1')],
  ],
]

describe('a client that gives back what it got', () => {
  test.each(answers)('%s', (_name, parts) => {
    expect(echoed(answered(parts))).toEqual(parts)
    expect(echoed(streamed(parts))).toEqual(parts)
  })

  test('Google’s signature on a call, unmarked and in Google’s own place', () => {
    const own = state('generate-content', 'signature', 'R29v')
    const parts: Part[] = [{ ...callPart('call_1'), state: own } as Part]
    const [call] = echoed(answered(parts))
    expect(call).toMatchObject({
      type: 'call',
      state: { origin: 'generate-content', data: 'R29v' },
    })
    expect(JSON.stringify(answered(parts))).not.toContain(STATE_MARK)
  })

  test('OpenRouter’s entries, which go back to it as they came', () => {
    const detail = {
      type: 'reasoning.text',
      signature: 's',
      format: 'anthropic-claude-v1',
      index: 0,
    }
    const own = state('chat', 'signature', JSON.stringify(detail))
    const message = answered([thought('Hm.', own), { type: 'text', text: 'So.' }])
    expect(message.reasoning_details).toEqual([{ ...detail, text: 'Hm.' }])
    const [part] = echoed(message)
    const { messages } = encodeUnchecked({
      turns: [turn('user', 'x'), turn('assistant', part as Part, callPart('a'))],
    })
    expect(messages[1]?.reasoning_details).toEqual([{ ...detail, text: 'Hm.' }])
  })
})

describe('a client that keeps only what it knows', () => {
  const two = [
    thought('First.', state('messages', 'signature', 'one')),
    thought('Second.', state('messages', 'signature', 'two')),
  ]
  const withoutSpans = (message: Json): Json => ({
    ...message,
    reasoning_details: (message.reasoning_details as Json[]).map(
      ({ span: _span, ...rest }) => rest,
    ),
  })

  test('one signature belongs to the whole text', () => {
    const parts = [two[0] as Part, callPart('a')]
    expect(echoed(withoutSpans(answered(parts)))).toEqual(parts)
  })

  test('signatures whose texts cannot be told apart are left out', () => {
    const parts = echoed(withoutSpans(answered([...two, callPart('a')])))
    expect(parts[0]).toEqual(thought('First.\n\nSecond.'))
    expect(JSON.stringify(parts)).not.toContain('"state"')
  })

  test('a signature whose text the client has cut is left out', () => {
    const message = { ...answered([two[0] as Part, callPart('a')]), reasoning_content: 'Fir' }
    expect(echoed(message)).toEqual([thought('Fir'), callPart('a')])
    const hidden = { ...message, reasoning_content: undefined }
    expect(echoed(hidden)).toEqual([callPart('a')])
  })

  test('a client that did not want to see the thoughts gets no signature without its text', () => {
    const hidden = answerTarget({ reasoning: { isShown: false } })
    const { choices } = chatConversion.encodeResponse(responseOf(two), hidden)
    expect(JSON.stringify(choices)).not.toMatch(/reasoning|First/)
  })
})
