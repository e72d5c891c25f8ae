import { describe, expect, test } from 'vitest'
import type { ExchangeRequest, MediaPart, Part } from '../../../../main/convert/exchange.ts'
import { PNG } from '../../../support/strict/requests/refused-by.ts'
import { callPart, encode, encodeUnchecked, type Json, resultPart, turn } from './small-exchange.ts'

const image: MediaPart = {
  type: 'media',
  kind: 'image',
  source: { type: 'base64', mediaType: 'image/png', data: PNG },
}
const pdf: MediaPart = {
  type: 'media',
  kind: 'document',
  source: { type: 'base64', mediaType: 'application/pdf', data: 'JVBERi0xLjQ=' },
}
const thought = (text: string): Part => ({ type: 'reasoning', sections: [text], form: 'raw' })
const rolesOf = (messages: readonly Json[]) => messages.map(({ role }) => role)
interface WithExtra {
  extra_content?: { google: { thought_signature: string } }
}
const argumentsOf = (call: Json | undefined) =>
  String((call as { function: Json } | undefined)?.function.arguments)
const callsOf = (message: Json | undefined) => (message?.tool_calls ?? []) as Json[]
const refusalOf = (fields: Partial<ExchangeRequest>, model?: string) => () => encode(fields, model)

describe('system text', () => {
  const turns = [
    turn('system', 'One.', 'Two.'),
    turn('user', 'Hi'),
    turn('system', 'Later.'),
    turn('user', 'Go'),
  ]

  test('is one message, of the role that the model knows', () => {
    expect(encode({ turns }, 'gpt-5.4').messages).toEqual([
      { role: 'developer', content: 'One.\n\nTwo.' },
      { role: 'user', content: 'Hi' },
      { role: 'developer', content: 'Later.' },
      { role: 'user', content: 'Go' },
    ])
    expect(encode({ turns }, 'gpt-4o').messages[0]?.role).toBe('system')
  })

  test('in the middle becomes the user’s where a vendor’s template takes none there', () => {
    const { messages, losses } = encode({ turns }, 'qwen3-max')
    expect(rolesOf(messages)).toEqual(['system', 'user', 'user', 'user'])
    expect(messages[2]?.content).toBe('<system-reminder>\nLater.\n</system-reminder>')
    expect(losses).toContain('approximated')
  })

  test('of Claude Code’s bill stays with its own vendor', () => {
    const header = 'x-anthropic-billing-header: cc_version=2.1.181;'
    const { messages } = encode({
      turns: [turn('system', header, 'You help.'), turn('user', 'Hi')],
    })
    expect(messages[0]).toEqual({ role: 'system', content: 'You help.' })
  })
})

test('a plain message of a Chat client stays a plain text, several texts stay a list', () => {
  const turns = [
    turn('system', 'Be brief.'),
    turn('user', 'Hi'),
    turn('assistant', 'Hello.'),
    turn('user', 'One.', 'Two.'),
  ]
  expect(encode({ origin: 'chat', turns }).messages.map(({ content }) => content)).toEqual([
    'Be brief.',
    'Hi',
    'Hello.',
    [
      { type: 'text', text: 'One.' },
      { type: 'text', text: 'Two.' },
    ],
  ])
})

describe('calls and results', () => {
  const calls = turn('assistant', callPart('call_1'), callPart('call_2', 'put'))

  test('all results come first, then what only a message of the user can hold', () => {
    const shown: Part = {
      ...(resultPart('call_1', '') as Extract<Part, { type: 'result' }>),
      parts: [{ type: 'text', text: 'Here' }, image],
    }
    const turns = [turn('user', 'Hi'), calls, turn('tool', shown, resultPart('call_2', 'two'))]
    const { messages, losses } = encode({ turns }, 'gpt-5.4')
    expect(rolesOf(messages)).toEqual(['user', 'assistant', 'tool', 'tool', 'user'])
    expect(messages[2]).toMatchObject({
      tool_call_id: 'call_1',
      content: expect.stringContaining('Here'),
    })
    expect(messages[4]?.content).toEqual([
      { type: 'text', text: 'From the result of call call_1:' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
    ])
    expect(losses).toContain('approximated')
  })

  test('what the user says behind a result reaches Mistral, which takes only an answer there', () => {
    const turns = [
      turn('user', 'Hi'),
      turn('assistant', callPart('call_1')),
      turn('tool', resultPart('call_1', 'one')),
      turn('user', 'And then?'),
    ]
    const { messages, losses } = encode({ turns }, 'devstral-medium')
    expect(rolesOf(messages)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
    expect(messages[3]).toEqual({ role: 'assistant', content: 'OK.' })
    expect(losses).toBe('approximated turns')
    expect(rolesOf(encode({ turns }, 'gpt-5.4').messages)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
    ])
  })

  test('a failed call says so in its text', () => {
    const results = turn(
      'tool',
      resultPart('call_1', 'disk full', true),
      resultPart('call_2', '', true),
    )
    const { messages } = encode({ turns: [turn('user', 'Hi'), calls, results] })
    expect(messages.slice(2).map(({ content }) => content)).toEqual([
      'Error: disk full',
      'Error: the tool failed.',
    ])
  })

  test('a call without a result gets one, in the order of the calls', () => {
    const { messages } = encode({
      turns: [turn('user', 'Hi'), calls, turn('tool', resultPart('call_2', 'two'))],
    })
    expect(messages.slice(2).map(({ tool_call_id: id, content }) => [id, content])).toEqual([
      ['call_1', 'Error: [no result]'],
      ['call_2', 'two'],
    ])
  })

  test('calls without ids get the same invented ones each time, their results too', () => {
    const turns = [
      turn('user', 'Hi'),
      turn('assistant', callPart(null), callPart(null)),
      turn('tool', resultPart(null, 'one'), resultPart(null, 'two')),
    ]
    const once = encode({ turns }).messages
    const ids = callsOf(once[1]).map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
    expect(once.slice(2).map((one) => one.tool_call_id)).toEqual(ids)
    expect(encode({ turns }).messages).toEqual(once)
  })

  test('neighbouring turns of the assistant are one message', () => {
    const turns = [
      turn('user', 'Hi'),
      turn('assistant', 'I look.'),
      turn('assistant', callPart('call_1', 'get', '')),
    ]
    expect(encode({ turns }, 'gpt-5.4').messages[1]).toEqual({
      role: 'assistant',
      content: 'I look.',
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get', arguments: '{}' } }],
    })
  })

  test('a text that its vendor cut is one text, two messages are parted', () => {
    const said = (text: string, at: string): Part => ({ type: 'text', text, at })
    const turns = [
      turn('user', 'Hi'),
      turn('assistant', said('It is ', 'input[1].content[0]'), said('so.', 'input[1].content[1]')),
      turn('assistant', said('Done.', 'input[2].content[0]')),
      turn('user', 'Go on'),
    ]
    expect(encode({ turns }).messages[1]?.content).toBe('It is so.\n\nDone.')
  })

  test('arguments that are no object do not spoil the conversation', () => {
    const turns = [turn('user', 'Hi'), turn('assistant', callPart('call_1', 'get', '{"a":'))]
    const [call] = callsOf(encode({ turns }).messages[1])
    expect(JSON.parse(argumentsOf(call))).toEqual({ _raw: '{"a":' })
  })
})

describe('what the assistant thought', () => {
  const loop = (...parts: Part[]) => [
    turn('user', 'Hi'),
    turn('assistant', ...parts, callPart('call_1')),
    turn('tool', resultPart('call_1', 'ok')),
  ]

  test('goes back in a tool loop to a model that wants it, empty where it is missing', () => {
    expect(
      encode({ turns: loop(thought('Hm')) }, 'deepseek-v4').messages[1]?.reasoning_content,
    ).toBe('Hm')
    expect(encode({ turns: loop() }, 'deepseek-v4').messages[1]?.reasoning_content).toBe('')
  })

  test('is left out for a model that does not read it, and noted', () => {
    const { messages, losses } = encode({ turns: loop(thought('Hm')) }, 'gpt-5.4')
    expect(messages[1]).not.toHaveProperty('reasoning_content')
    expect(losses).toContain('dropped')
  })

  test('another vendor’s signature never leaves', () => {
    const signed: Part = {
      ...(thought('Hm') as Extract<Part, { type: 'reasoning' }>),
      state: { origin: 'messages', kind: 'signature', data: 'EqQBClaude', model: 'claude' },
    }
    expect(JSON.stringify(encode({ turns: loop(signed) }).body)).not.toContain('EqQBClaude')
  })

  test('Gemini behind this format gets its signature, or the stand-in', () => {
    const google = (data: string): Part => ({
      ...(thought('Hm') as Extract<Part, { type: 'reasoning' }>),
      state: { origin: 'generate-content', kind: 'signature', data, model: null },
    })
    const rules = { thoughtSignatures: true }
    const signatureOf = (...parts: Part[]) => {
      const { messages } = encodeUnchecked({ turns: loop(...parts) }, 'gemini-3-pro', rules)
      const [call] = callsOf(messages[1])
      return (call as WithExtra | undefined)?.extra_content?.google.thought_signature
    }
    expect(signatureOf(google('R29v'))).toBe('R29v')
    expect(signatureOf()).toBe('skip_thought_signature_validator')
  })
})

describe('a begun answer', () => {
  test('is asked to be continued', () => {
    const turns = [turn('user', 'Hi'), turn('assistant', 'The answer is')]
    const { messages, losses } = encode({ turns })
    expect(messages.slice(1)).toEqual([
      { role: 'assistant', content: 'The answer is' },
      { role: 'user', content: 'Continue from exactly where you stopped.' },
    ])
    expect(losses).toContain('approximated')
  })
})

describe('files', () => {
  const sent = (part: Part, model = 'gpt-5.4') =>
    encode({ turns: [turn('user', part)] }, model).messages[0]?.content

  test('a document goes as a file, a readable one as text', () => {
    expect(sent({ ...pdf, title: 'Plan' })).toEqual([
      {
        type: 'file',
        file: { file_data: 'data:application/pdf;base64,JVBERi0xLjQ=', filename: 'Plan' },
      },
    ])
    const source = { type: 'text', text: 'a,b', mediaType: 'text/csv' } as const
    expect(sent({ type: 'media', kind: 'document', source, title: 'T' })).toBe('T\n\na,b')
    const encoded = { type: 'base64', mediaType: 'text/plain', data: 'R3LDtsOfZQ==' } as const
    expect(sent({ type: 'media', kind: 'document', source: encoded })).toBe('Größe')
  })

  test('sound has to be wav or mp3', () => {
    const sound = (mediaType: string): Part => ({
      type: 'media',
      kind: 'audio',
      source: { type: 'base64', mediaType, data: 'AAAA' },
      at: 'contents[0].parts[0]',
    })
    expect(sent(sound('audio/mpeg'))).toEqual([
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
    ])
    expect(sent(sound('audio/wav;codecs=1'))).toEqual([
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
    ])
    expect(() => sent(sound('audio/ogg'))).toThrow('contents[0].parts[0]')
  })

  test.each([
    [
      'a film',
      {
        type: 'media',
        kind: 'video',
        source: { type: 'url', url: 'https://a.example/a.mp4', mediaType: null },
      },
    ],
    [
      'a document’s address',
      { ...pdf, source: { type: 'url', url: 'https://a.example/a.pdf', mediaType: null } },
    ],
    [
      'a file at another vendor',
      { ...image, source: { type: 'file', id: 'file-1', origin: 'messages' } },
    ],
  ] as [string, Part][])('%s is refused by its place', (_name, part) => {
    const at = 'messages[0].content[0]'
    expect(refusalOf({ turns: [turn('user', { ...part, at } as Part)] })).toThrow(
      expect.objectContaining({ field: at, code: 'invalid_request' }),
    )
  })

  test('an address of a picture is refused where the vendor fetches none', () => {
    const source = { type: 'url', url: 'https://a.example/a.png', mediaType: null } as const
    const turns = [turn('user', { ...image, source, at: 'here' })]
    expect(encode({ turns }, 'gpt-5.4').losses).toBe('')
    expect(() => encode({ turns }, 'qwen3-max', { urlMedia: false })).toThrow(
      'here: must be sent as data (base64)',
    )
  })

  test('a file at OpenAI goes from Responses to Chat there, and to nobody else', () => {
    const source = { type: 'file', id: 'file-1', origin: 'responses' } as const
    const part = { type: 'media', kind: 'document', source, at: 'here' } as const
    const asked = { origin: 'responses' as const, turns: [turn('user', part)] }
    expect(encode(asked, 'gpt-5.4').messages).toMatchObject([
      { content: [{ type: 'file', file: { file_id: 'file-1' } }] },
    ])
    expect(() => encode(asked, 'qwen3-max')).toThrow('here')
  })
})
