import { describe, expect, test } from 'vitest'
import type { Part, ReasoningState, Turn } from '../../../../main/convert/exchange.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'
import { PNG } from '../../../support/strict/requests/refused-by.ts'
import { asked, encoded, gemini3, gemini25, refusal, taken } from './wire-ways.ts'

const text = (words: string, at = 'messages[0]'): Part => ({ type: 'text', text: words, at })
const user = (...parts: Part[]): Turn => ({ role: 'user', parts, at: 'messages[0]' })
const assistant = (...parts: Part[]): Turn => ({ role: 'assistant', parts, at: 'messages[1]' })
const call = (id: string, name = 'get', args = '{}', more: Partial<Part> = {}): Part =>
  ({ type: 'call', id, name, kind: 'function', arguments: args, ...more }) as Part
const result = (callId: string, words: string, more: Partial<Part> = {}): Part =>
  ({
    type: 'result',
    callId,
    name: null,
    kind: 'function',
    isError: false,
    parts: [{ type: 'text', text: words }],
    ...more,
  }) as Part
const state = (
  data: string,
  origin: ReasoningState['origin'] = 'generate-content',
): ReasoningState => ({
  origin,
  kind: 'signature',
  data,
  model: null,
})
const image: Part = {
  type: 'media',
  kind: 'image',
  source: { type: 'base64', mediaType: 'image/png', data: PNG },
  at: 'messages[0].content[1]',
}

const contentsOf = (turns: Turn[], model = gemini3) =>
  encoded(asked({ turns }), model).body.contents as { role: string; parts: Json[] }[]

describe('turns', () => {
  test('leading system text is the system instruction, later system text stays in its place', () => {
    const { body, losses } = taken({
      turns: [
        { role: 'system', parts: [text('One.'), text('Two.')] },
        { role: 'system', parts: [text('Three.')] },
        user(text('Hi')),
        { role: 'system', parts: [text('Be quick.')], at: 'messages[3]' },
      ],
    })
    expect(body.systemInstruction).toEqual({
      parts: [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }],
    })
    expect(body.contents).toEqual([
      {
        role: 'user',
        parts: [{ text: 'Hi' }, { text: '<system-reminder>\nBe quick.\n</system-reminder>' }],
      },
    ])
    expect(losses).toEqual(['approximated messages[3]'])
  })

  test('Claude Code’s billing note does not reach Google', () => {
    const { body, losses } = taken({
      origin: 'messages',
      turns: [
        {
          role: 'system',
          parts: [text('x-anthropic-billing-header: cc_version=1', 'system[0]'), text('You are.')],
        },
        user(text('Hi')),
      ],
    })
    expect(body.systemInstruction).toEqual({ parts: [{ text: 'You are.' }] })
    expect(losses).toEqual(['dropped system[0]'])
  })

  test('the user begins and ends, turns alternate, and nothing is empty', () => {
    expect(
      contentsOf([
        assistant(text('Hello.')),
        assistant(text('')),
        user(text('A')),
        user(text('B')),
        assistant(text('')),
        user(text('')),
        assistant(text('So')),
      ]),
    ).toEqual([
      { role: 'user', parts: [{ text: 'Continue.' }] },
      { role: 'model', parts: [{ text: 'Hello.' }] },
      { role: 'user', parts: [{ text: 'A' }, { text: 'B' }] },
      { role: 'model', parts: [{ text: 'So' }] },
      { role: 'user', parts: [{ text: 'Continue from exactly where you stopped.' }] },
    ])
    taken({ turns: [user(text(''))] })
    taken({ turns: [{ role: 'system', parts: [text('Only this.')] }] })
  })
})

describe('tool loops', () => {
  test('there are as many responses as calls, in their order, before anything else', () => {
    const turns = [
      user(text('Hi')),
      assistant(call('a'), call('b', 'put', '{"id":12345678901234567890}')),
      { role: 'tool' as const, parts: [result('b', '{"ok":true}')] },
      { role: 'system' as const, parts: [text('Note.')] },
      user(text('And?')),
    ]
    taken({ turns })
    const [, model, answers] = contentsOf(turns)
    expect(model?.parts[1]).toEqual({
      functionCall: { id: 'b', name: 'put', args: { id: 12345678901234567000 } },
    })
    expect(answers?.parts).toEqual([
      { functionResponse: { id: 'a', name: 'get', response: { error: '[no result]' } } },
      { functionResponse: { id: 'b', name: 'put', response: { ok: true } } },
      { text: '<system-reminder>\nNote.\n</system-reminder>' },
      { text: 'And?' },
    ])
  })

  test('ids that come again in a later turn stay with their own calls', () => {
    const loop = (name: string): Turn[] => [
      assistant(call('call_1', name)),
      { role: 'tool', parts: [result('call_1', name)] },
    ]
    taken({ turns: [user(text('Hi')), ...loop('get'), ...loop('put')] })
  })

  test.each([
    ['plain text', 'fine', false, { output: 'fine' }],
    ['a JSON array', '[1]', false, { output: '[1]' }],
    ['a JSON object', '{"a":1}', false, { a: 1 }],
    ['what only begins like one', '{"a":', false, { output: '{"a":' }],
    ['a failure', 'no', true, { error: 'no' }],
    ['a failure told in JSON', '{"a":1}', true, { error: { a: 1 } }],
    ['nothing', '', false, { output: '' }],
  ])('a result that is %s becomes an object', (_, words, isError, response) => {
    const [, , answers] = contentsOf([
      user(text('Hi')),
      assistant(call('a')),
      { role: 'tool', parts: [result('a', words, { isError } as Partial<Part>)] },
    ])
    expect(answers?.parts[0]).toEqual({ functionResponse: { id: 'a', name: 'get', response } })
  })

  test('arguments that are no object are kept, and missing ones are {}', () => {
    const [, model] = contentsOf([
      user(text('Hi')),
      assistant(call('a', 'get', ''), call('b', 'get', '[1')),
    ])
    expect(model?.parts.map((part) => (part.functionCall as Json).args)).toEqual([
      {},
      { _raw: '[1' },
    ])
  })

  const withImage = [
    user(text('Hi')),
    assistant(call('a')),
    {
      role: 'tool' as const,
      parts: [result('a', 'See.', { parts: [text('See.'), image] } as Partial<Part>)],
    },
  ]

  test('a picture in a result stands inside it for models that take that', () => {
    taken({ turns: withImage })
    expect(contentsOf(withImage)[2]?.parts).toEqual([
      {
        functionResponse: {
          id: 'a',
          name: 'get',
          response: { output: 'See.' },
          parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }],
        },
      },
    ])
  })

  test('and behind it for the others', () => {
    const { losses } = taken({ turns: withImage }, gemini25)
    const parts = contentsOf(withImage, gemini25)[2]?.parts
    expect(parts?.slice(1)).toEqual([
      { text: 'Files of the result of get (a):' },
      { inlineData: { mimeType: 'image/png', data: PNG } },
    ])
    expect(losses).toEqual(['approximated messages[0].content[1]'])
  })
})

describe('signatures', () => {
  const answersTo = (...ids: string[]): Turn => ({
    role: 'tool',
    parts: ids.map((id) => result(id, 'ok')),
  })
  const thought = (words: string, own?: ReasoningState): Part => ({
    type: 'reasoning',
    sections: words === '' ? [] : [words],
    form: 'summary',
    at: 'messages[1].content[0]',
    ...(own ? { state: own } : {}),
  })

  test('on a call it goes back to the call', () => {
    const [, model] = contentsOf([
      user(text('Hi')),
      assistant(call('a', 'get', '{}', { state: state('SIG') } as Partial<Part>), call('b')),
      answersTo('a', 'b'),
    ])
    expect(model?.parts.map((part) => part.thoughtSignature)).toEqual(['SIG', undefined])
  })

  test('on the thoughts before a call, as other formats keep it, it goes to the call', () => {
    const [, model] = contentsOf([
      user(text('Hi')),
      assistant(thought('Hm.', state('')), text('Wait.'), thought('', state('SIG'))),
      assistant(call('a')),
      answersTo('a'),
    ])
    expect(model?.parts).toEqual([
      { text: 'Hm.', thought: true },
      { text: 'Wait.' },
      { functionCall: { id: 'a', name: 'get', args: {} }, thoughtSignature: 'SIG' },
    ])
  })

  test('a text stands between the thoughts and their call', () => {
    const [, model] = contentsOf([
      user(text('Hi')),
      assistant(thought('', state('SIG')), text('Wait.'), call('a')),
      answersTo('a'),
    ])
    expect(model?.parts.map((part) => part.thoughtSignature)).toEqual([undefined, 'SIG'])
  })

  test('of a text it goes to the text, or behind it', () => {
    expect(
      contentsOf([
        user(text('Hi')),
        assistant(thought('', state('S1')), text('A'), thought('', state('S2'))),
        user(text('x')),
      ])[1]?.parts,
    ).toEqual([
      { text: 'A', thoughtSignature: 'S1' },
      { text: '', thoughtSignature: 'S2' },
    ])
  })

  test('of another vendor it stays away, and Gemini 3 is told so by the sentinel', () => {
    const turns = [
      user(text('Hi')),
      assistant(thought('Claude thinks.', state('CLAUDE', 'messages')), call('a'), call('b')),
      answersTo('a', 'b'),
    ]
    const { losses } = taken({ turns })
    expect(contentsOf(turns)[1]?.parts).toEqual([
      {
        functionCall: { id: 'a', name: 'get', args: {} },
        thoughtSignature: 'skip_thought_signature_validator',
      },
      { functionCall: { id: 'b', name: 'get', args: {} } },
    ])
    expect(losses).toContain('dropped messages[1].content[0]')
    expect(JSON.stringify(contentsOf(turns, gemini25))).not.toContain('thoughtSignature')
  })
})

describe('files', () => {
  const media = (kind: string, source: unknown, more = {}) =>
    user(text('Look.'), {
      type: 'media',
      kind,
      source,
      at: 'messages[0].content[1]',
      ...more,
    } as Part)

  test.each([
    [
      'a PDF',
      media('document', { type: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' }),
    ],
    ['sound', media('audio', { type: 'base64', mediaType: 'audio/wav', data: 'AAAA' })],
    ['a film', media('video', { type: 'base64', mediaType: 'video/mp4', data: 'AAAA' })],
    [
      'an address',
      media('image', { type: 'url', url: 'https://a.example/x.png', mediaType: null }),
    ],
    [
      'a picture with a wrong label',
      media('image', { type: 'base64', mediaType: 'image/jpg', data: PNG }),
    ],
    [
      'text',
      media('document', { type: 'text', text: 'abc', mediaType: 'text/plain' }, { title: 'T' }),
    ],
  ])('%s goes on', (_, turn) => {
    const { body } = taken({ turns: [turn] })
    expect((body.contents as { parts: Json[] }[])[0]?.parts.length).toBeGreaterThan(1)
  })

  test.each([
    [
      'of another vendor',
      media('document', { type: 'file', id: 'file-1', origin: 'chat' }),
      gemini3,
    ],
    [
      'a Word file',
      media('document', { type: 'base64', mediaType: 'application/msword', data: '0M8R4KGx' }),
      gemini3,
    ],
    [
      'a GIF',
      media('image', { type: 'base64', mediaType: 'image/gif', data: 'R0lGODdh' }),
      gemini3,
    ],
    [
      'an address',
      media('image', { type: 'url', url: 'https://a.example/x.png', mediaType: null }),
      'gemini-2.0-flash',
    ],
  ])('is refused by its place: %s', (_, turn, model) => {
    expect(refusal({ turns: [turn] }, model)).toContain('messages[0].content[1]')
  })

  test('how closely to look is said once for all', () => {
    const { config, losses } = taken({
      turns: [user(text('x'), { ...image, detail: 'high' } as Part)],
    })
    expect(config.mediaResolution).toBe('MEDIA_RESOLUTION_HIGH')
    expect(losses).toEqual(['approximated messages[0].content[1].detail'])
  })
})
