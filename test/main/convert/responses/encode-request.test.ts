import { describe, expect, test } from 'vitest'
import type { ExchangeRequest, Part, Turn } from '../../../../main/convert/exchange.ts'
import { Loss } from '../../../../main/convert/loss.ts'
import { modelRules } from '../../../../main/convert/model/model-rules.ts'
import { responsesConversion } from '../../../../main/convert/responses/conversion.ts'
import { PNG as PIXEL } from '../../../support/strict/requests/refused-by.ts'
import {
  call,
  encode,
  fieldAtFault,
  type Json,
  type Options,
  result,
  text,
  turn,
} from './strictly-encoded.ts'

describe('the system prompt', () => {
  test('is the instructions, later system text a developer item in its place', () => {
    const { body, input } = encode({
      turns: [
        turn('system', text('Be brief.'), text('Be kind.')),
        turn('user', text('Hi')),
        turn('system', text('Now French.')),
        turn('user', text('Go on')),
      ],
    })
    expect(body.instructions).toBe('Be brief.\n\nBe kind.')
    expect(input.map(({ role }) => role)).toEqual(['user', 'developer', 'user'])
  })

  test('keeps its cache marks where the model takes them', () => {
    const marked: Part = { type: 'text', text: 'Long.', cacheMark: { ttl: '1h' } }
    const turns = [turn('system', marked), turn('user', text('Hi'))]
    const { body, input } = encode({ turns })
    expect(body.instructions).toBeUndefined()
    expect(input[0]).toMatchObject({
      role: 'developer',
      content: [{ prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } }],
    })
    expect(encode({ turns }, { model: 'gpt-5.1' }).body.instructions).toBe('Long.')
  })

  test('goes without Claude Code’s billing header', () => {
    const { body, losses } = encode({
      turns: [
        turn('system', text('x-anthropic-billing-header: cc_version=2'), text('You are.')),
        turn('user', text('Hi')),
      ],
    })
    expect(body.instructions).toBe('You are.')
    expect(losses).toContain('dropped m.text')
  })

  test('is a reminder of the user’s where a model takes none in the middle', () => {
    const { input, losses } = encode(
      { turns: [turn('user', text('Hi')), turn('system', text('French!'))] },
      { rules: { midSystem: false } },
    )
    expect(input[1]).toMatchObject({
      role: 'user',
      content: [{ text: '<system-reminder>\nFrench!\n</system-reminder>' }],
    })
    expect(losses).toEqual(['approximated m.system'])
  })
})

describe('a loop of tools', () => {
  test('has its outputs behind its calls, errors said in words, and images in them', () => {
    const image: Part = {
      type: 'result',
      callId: 'toolu_2',
      name: 'see',
      kind: 'function',
      isError: false,
      parts: [
        { type: 'text', text: 'Here:' },
        {
          type: 'media',
          kind: 'image',
          source: { type: 'base64', mediaType: 'image/jpg', data: PIXEL },
        },
      ],
    }
    const { input, losses } = encode({
      turns: [
        turn('user', text('Look')),
        turn('assistant', text('Yes.'), call('toolu_1', 'list', ''), call('toolu_2', 'see')),
        turn('tool', image, result('toolu_1', 'list', 'disk full', true)),
      ],
    })
    expect(input.slice(1)).toEqual([
      {
        type: 'message',
        role: 'assistant',
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'Yes.', annotations: [] }],
      },
      { type: 'function_call', call_id: 'toolu_1', name: 'list', arguments: '{}' },
      { type: 'function_call', call_id: 'toolu_2', name: 'see', arguments: '{}' },
      { type: 'function_call_output', call_id: 'toolu_1', output: 'Error: disk full' },
      {
        type: 'function_call_output',
        call_id: 'toolu_2',
        output: [
          { type: 'input_text', text: 'Here:' },
          { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}`, detail: 'auto' },
        ],
      },
    ])
    expect(losses).toHaveLength(1)
  })

  test('keeps all parts of a failed result', () => {
    const failed: Part = {
      ...{ type: 'result', callId: 'c', name: 'f', kind: 'function', isError: true },
      parts: ['exit 1', 'disk full'].map((text) => ({ type: 'text', text })),
    }
    const { input } = encode({
      turns: [turn('user', text('Hi')), turn('assistant', call('c', 'f')), turn('tool', failed)],
    })
    expect(input[2]?.output).toEqual([
      { type: 'input_text', text: 'Error: exit 1' },
      { type: 'input_text', text: 'disk full' },
    ])
  })

  test('of Gemini gets ids, the same for call and result, the same each time', () => {
    const turns = [
      turn('user', text('Look')),
      turn('assistant', call(null, 'f', '{"a":1}'), call(null, 'f', '{"a":2}')),
      turn('tool', result(null, 'f', 'one'), result(null, 'f', 'two')),
    ]
    const { input } = encode({ origin: 'generate-content', turns })
    const ids = input.slice(1).map((item) => item.call_id)
    expect(ids[0]).not.toBe(ids[1])
    expect(ids.slice(2)).toEqual(ids.slice(0, 2))
    expect(input.slice(3).map((item) => item.output)).toEqual(['one', 'two'])
    expect(encode({ origin: 'generate-content', turns }).input).toEqual(input)
  })

  test('keeps numbers that a double cannot hold', () => {
    const args = '{"id":9007199254740993}'
    const { input } = encode({
      turns: [
        turn('user', text('Hi')),
        turn('assistant', call('c', 'f', args)),
        turn('tool', result('c', 'f', 'ok')),
      ],
    })
    expect(input[1]?.arguments).toBe(args)
  })

  test('puts media behind the results for a model that takes none inside', () => {
    const media: Part = {
      type: 'result',
      callId: 'c',
      name: 'f',
      kind: 'function',
      isError: false,
      parts: [
        {
          type: 'media',
          kind: 'image',
          source: { type: 'base64', mediaType: 'image/png', data: PIXEL },
        },
      ],
    }
    const { input } = encode(
      { turns: [turn('user', text('Hi')), turn('assistant', call('c', 'f')), turn('tool', media)] },
      { rules: { resultMedia: false } },
    )
    expect(input[2]?.output).toBe('[The image follows in the next message.]')
    expect(input[3]).toMatchObject({ role: 'user', content: [{ type: 'input_image' }] })
  })
})

describe('thoughts in the history', () => {
  const own: Part = {
    type: 'reasoning',
    sections: ['One.', 'Two.'],
    form: 'summary',
    state: { origin: 'responses', kind: 'encrypted', data: 'gAAA', model: 'gpt-5.6', id: 'rs_1' },
  }
  const loop = (...parts: Part[]) => [
    turn('user', text('Hi')),
    turn('assistant', ...parts, call('c', 'f')),
    turn('tool', result('c', 'f', 'ok')),
  ]
  const encoded = (turns: Turn[], options: Options = {}) => {
    const loss = new Loss()
    const model = options.model ?? 'gpt-5.6'
    const rules = modelRules('responses', model, options.rules)
    const request: ExchangeRequest = { origin: 'messages', model, stream: false, turns, tools: [] }
    const body = responsesConversion.encodeRequest(request, { model, rules, loss })
    return { input: body.input as Json[], losses: loss.entries.map(({ path }) => path) }
  }

  test('of this vendor stand before their call, without the id that nobody keeps', () => {
    const { input } = encoded(loop(own))
    expect(input[1]).toEqual({ type: 'reasoning', summary: [], encrypted_content: 'gAAA' })
    expect(input[2]?.type).toBe('function_call')
  })

  test('that stand before their call and on it as well are sent once', () => {
    const called = { ...call('c', 'f'), state: own.state } as Part
    const turns = [turn('assistant', own, called), turn('tool', result('c', 'f', 'ok'))]
    const { input } = encoded([turn('user', text('Hi')), ...turns])
    const types = ['reasoning', 'function_call', 'function_call_output']
    expect(input.slice(1).map(({ type }) => type)).toEqual(types)
  })

  test('of another vendor are left out, and noted', () => {
    const foreign: Part = {
      type: 'reasoning',
      sections: ['Hm.'],
      form: 'summary',
      state: { origin: 'messages', kind: 'signature', data: 's', model: null },
      at: 'messages[1].content[0]',
    }
    const { input, losses } = encoded(loop(foreign))
    expect(input.map(({ type }) => type)).not.toContain('reasoning')
    expect(losses).toEqual(['messages[1].content[0]'])
  })

  test('that nothing of their own follows are left out', () => {
    const turns = [turn('user', text('Hi')), turn('assistant', own), turn('user', text('And?'))]
    expect(encoded(turns).input.map(({ role }) => role)).toEqual(['user', 'user'])
  })

  test('go back as words to a model that wants them', () => {
    const raw: Part = { type: 'reasoning', sections: ['Hm.'], form: 'raw' }
    const { input } = encoded(loop(raw), { rules: { resendReasoning: true } })
    expect(input[1]).toEqual({
      type: 'reasoning',
      summary: [],
      content: [{ type: 'reasoning_text', text: 'Hm.' }],
    })
  })
})

describe('the rest of a conversation', () => {
  test('an answer that is to be gone on from is asked for in words', () => {
    const { input, losses } = encode({
      turns: [turn('user', text('Count')), turn('assistant', text('1, 2,'))],
    })
    expect(input.at(-1)).toMatchObject({ role: 'user' })
    expect(losses).toEqual(['approximated m.assistant'])
  })

  test('a last turn of the user without any content stays one, too', () => {
    const { body } = encode({
      turns: [turn('user', text('Hi')), turn('assistant', text('Yes?')), turn('user')],
    })
    expect((body.input as Json[]).at(-1)).toMatchObject({
      role: 'user',
      content: [{ type: 'input_text', text: ' ' }],
    })
  })

  test('empty texts are left out, an empty turn of the user stays one', () => {
    const { input } = encode({
      turns: [
        turn('user', text(''), text('Hi')),
        turn('assistant', text('')),
        turn('user', text('')),
      ],
    })
    expect(input.map(({ content }) => content)).toEqual([
      [{ type: 'input_text', text: 'Hi' }],
      [{ type: 'input_text', text: ' ' }],
    ])
  })

  test('documents are files, or text where they are text', () => {
    const { input } = encode({
      turns: [
        turn(
          'user',
          {
            type: 'media',
            kind: 'document',
            source: { type: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' },
          },
          {
            type: 'media',
            kind: 'document',
            source: { type: 'text', text: 'Body', mediaType: 'text/plain' },
            title: 'Notes',
          },
          {
            type: 'media',
            kind: 'document',
            source: { type: 'url', url: 'https://a.example/b.pdf', mediaType: null },
          },
        ),
      ],
    })
    expect(input[0]?.content).toEqual([
      {
        type: 'input_file',
        filename: 'document.pdf',
        file_data: 'data:application/pdf;base64,JVBERi0=',
      },
      { type: 'input_text', text: 'Notes\n\nBody' },
      { type: 'input_file', file_url: 'https://a.example/b.pdf' },
    ])
  })

  test('an image of the assistant’s goes on as the user’s', () => {
    const image: Part = {
      type: 'media',
      kind: 'image',
      source: { type: 'base64', mediaType: 'image/png', data: PIXEL },
    }
    const { input } = encode({
      origin: 'generate-content',
      turns: [
        turn('user', text('Draw')),
        turn('assistant', text('So.'), image),
        turn('user', text('More')),
      ],
    })
    expect(input.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user'])
  })

  test('what another vendor alone can read is refused where it stands', () => {
    const refused = (part: Part) => fieldAtFault(() => encode({ turns: [turn('user', part)] }))
    const source = { type: 'file', id: 'f', origin: 'messages' } as const
    expect(refused({ type: 'media', kind: 'image', source, at: 'a' })).toBe('a')
    const film = { type: 'url', url: 'https://a.example/b.mp4', mediaType: 'video/mp4' } as const
    expect(refused({ type: 'media', kind: 'video', source: film, at: 'b' })).toBe('b')
    const sound = { type: 'base64', mediaType: 'audio/ogg', data: 'AAAA' } as const
    expect(refused({ type: 'media', kind: 'audio', source: sound, at: 'c' })).toBe('c')
  })
})
