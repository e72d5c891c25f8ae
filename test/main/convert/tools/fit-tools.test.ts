import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ToolCallPart, Turn, WireFormat } from '../../../../main/convert/exchange.ts'
import {
  answer,
  call,
  fitTo,
  fn,
  patchTool,
  restored,
  result,
  start,
  streamed,
} from '../../../support/recordings/fit-tools.ts'

describe('tools that need no change', () => {
  test('go on as they are, and so does the answer', () => {
    const tools = [fn('read'), fn('mcp__files__list')]
    const turns: Turn[] = [
      { role: 'assistant', parts: [call('read')] },
      { role: 'tool', parts: [result('call_1')] },
    ]
    const fitted = fitTo({ tools, turns }, 'messages')
    expect(fitted.request).toMatchObject({ tools, turns })
    expect(fitted.loss.entries).toEqual([])
    const response = answer(call('read'))
    expect(fitted.tools.restoreResponse(response)).toBe(response)
  })
})

describe('tools in a namespace', () => {
  const tools = [fn('read', 'mcp__files__'), fn('read', 'github'), fn('read')]

  test('are called by one name each upstream and get both back', () => {
    const fitted = fitTo({ tools }, 'messages')
    expect(fitted.names).toEqual(['mcp__files__read', 'github__read', 'read'])
    expect(fitted.request.tools.some((tool) => 'namespace' in tool)).toBe(false)
    expect(
      fitted.tools.restoreResponse(
        answer(call('mcp__files__read'), call('github__read'), call('read')),
      ),
    ).toMatchObject({
      choices: [
        {
          parts: tools.map((tool) => ({
            name: 'read',
            ...('namespace' in tool ? { namespace: tool.namespace } : {}),
          })),
        },
      ],
    })
    expect(restored(fitted, call('read'))?.[0]).not.toHaveProperty('namespace')
    expect(streamed(fitted, [start(0, 'github__read')])).toMatchObject([
      { name: 'read', namespace: 'github' },
    ])
  })

  test('are the ones that the client demands, though others have the name too', () => {
    const demanded = (namespace?: string) => {
      const place = namespace === undefined ? {} : { namespace }
      const toolChoice = { mode: 'one', name: 'read', kind: 'function', ...place } as const
      return fitTo({ tools, toolChoice }, 'messages').request.toolChoice
    }
    expect(demanded('github')).toMatchObject({ name: 'github__read' })
    expect(demanded()).toMatchObject({ name: 'read' })
    expect(demanded('of no tool')).toMatchObject({ name: 'mcp__files__read' })
  })

  test('are told what the namespace is for, once and where it knows none', () => {
    const native = { origin: 'responses' as const, fields: { 'namespace.description': 'Agents.' } }
    const spawn = {
      ...fn('spawn', 'crew'),
      description: 'Starts one.',
      native,
      at: 'tools[4].tools[0]',
    }
    const fitted = fitTo({ tools: [spawn, fn('wait', 'crew')] }, 'messages')
    expect(fitted.request.tools).toEqual([
      {
        type: 'function',
        name: 'crew__spawn',
        description: 'Starts one.\n\nTools of crew: Agents.',
        schema: null,
        at: 'tools[4].tools[0]',
      },
      { type: 'function', name: 'crew__wait', schema: null },
    ])
    expect(fitted.loss.entries).toMatchObject([{ path: 'tools[4]', kind: 'approximated' }])
    const blank = { ...native, fields: { 'namespace.description': '' } }
    const quiet = fitTo({ tools: [{ ...spawn, native: blank }] }, 'chat')
    expect(quiet.request.tools).toMatchObject([{ description: 'Starts one.' }])
    expect(quiet.loss.entries).toEqual([])
    const more = { ...native, fields: { ...native.fields, defer_loading: true } }
    const beside = fitTo({ tools: [{ ...spawn, native: more }] }, 'chat')
    expect(beside.request.tools).toMatchObject([{ native: { fields: { defer_loading: true } } }])
    const kept = fitTo({ tools: [spawn] }, 'responses', { namespaces: true })
    expect(kept.request.tools).toMatchObject([{ description: 'Starts one.', native }])
  })

  test('stay where the upstream knows namespaces', () => {
    const fitted = fitTo({ tools }, 'responses', { namespaces: true })
    expect(fitted.request.tools).toEqual(tools)
    expect(restored(fitted, call('read', { namespace: 'github' }))).toEqual([
      call('read', { namespace: 'github' }),
    ])
  })

  test('are called the same in the history, listed or not', () => {
    const turns: Turn[] = [
      {
        role: 'assistant',
        parts: [
          call('read', { namespace: 'github' }),
          call('gone', { id: 'call_2', namespace: 'old' }),
        ],
      },
      { role: 'tool', parts: [result('call_1', 'read'), result('call_2')] },
    ]
    const fitted = fitTo({ tools, turns }, 'chat')
    expect(fitted.request.turns).toMatchObject([
      { parts: [{ name: 'github__read' }, { name: 'old__gone' }] },
      { parts: [{ name: 'github__read' }, { name: null }] },
    ])
    expect(fitted.request.turns[0]?.parts[0]).not.toHaveProperty('namespace')
    expect(restored(fitted, call('old__gone'))).toMatchObject([{ name: 'gone', namespace: 'old' }])
  })

  test('never take a name that another tool has', () => {
    const clash = [fn('b__c', 'a'), fn('c', 'a__b'), fn('a__b__c')]
    const fitted = fitTo({ tools: clash }, 'chat')
    expect(fitted.names[2]).toBe('a__b__c')
    expect(new Set(fitted.names).size).toBe(3)
    for (const [index, name] of fitted.names.entries()) {
      expect(restored(fitted, call(name))).toMatchObject([{ name: clash[index]?.name }])
    }
    expect(fitTo({ tools: clash }, 'chat').names).toEqual(fitted.names)
  })
})

describe('names that an upstream refuses', () => {
  test.each<[WireFormat, string, boolean]>([
    ['chat', 'mcp.files.read', false],
    ['messages', 'a'.repeat(65), false],
    ['generate-content', 'mcp.files:read-1', true],
    ['generate-content', '3d-render', false],
    ['chat', '3d-render', true],
    ['responses', 'größe', false],
    ['chat', '', false],
    ['chat', '.files', false],
  ])('%s: %s', (format, name, isTaken) => {
    const fitted = fitTo(
      { tools: [fn(name)], toolChoice: { mode: 'one', name, kind: 'function' } },
      format,
    )
    const [made = ''] = fitted.names
    expect(made === name).toBe(isTaken)
    expect(made).toMatch(
      format === 'generate-content' ? /^[a-zA-Z_][\w.:-]{0,63}$/ : /^[\w-]{1,64}$/,
    )
    expect(fitted.request.toolChoice).toMatchObject({ name: made })
    expect(restored(fitted, call(made))).toMatchObject([{ name }])
    expect(fitted.loss.entries.length).toBe(isTaken ? 0 : 1)
  })

  test('any list of names becomes as many that fit, always the same, and comes back', () => {
    const name = fc.string({ maxLength: 150, unit: fc.constantFrom(...'aab__-.:3é ') })
    const tool = fc.record({
      name,
      namespace: fc.option(
        fc.string({ minLength: 1, maxLength: 150, unit: fc.constantFrom(...'aab__-.:3é ') }),
        { nil: undefined },
      ),
    })
    const id = ({ name: own, namespace }: { name: string; namespace?: string | undefined }) =>
      JSON.stringify([own, namespace ?? null])
    fc.assert(
      fc.property(
        fc.uniqueArray(tool, { selector: id }),
        fc.constantFrom<WireFormat>('chat', 'messages', 'generate-content'),
        (list, format) => {
          const tools = list.map(({ name: own, namespace }) => fn(own, namespace))
          const fitted = fitTo({ tools }, format)
          expect(new Set(fitted.names).size).toBe(tools.length)
          for (const [index, made] of fitted.names.entries()) {
            expect(made).toMatch(/^[\w.:-]{1,64}$/)
            expect(restored(fitted, call(made))?.map((part) => id(part as ToolCallPart))).toEqual([
              id(list[index] as ToolCallPart),
            ])
          }
          expect(fitTo({ tools }, format).names).toEqual(fitted.names)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('one that is listed twice is sent once', () => {
    const fitted = fitTo({ tools: [fn('a'), { ...fn('a'), at: 'tools[1]' }] }, 'messages')
    expect(fitted.names).toEqual(['a'])
    expect(fitted.loss.entries).toMatchObject([{ path: 'tools[1]', kind: 'dropped' }])
  })

  test('a choice of some tools names them as the upstream does', () => {
    const tools = [fn('read', 'a'), fn('read', 'b'), fn('x.y')]
    const fitted = fitTo(
      { tools, toolChoice: { mode: 'some', names: ['read', 'x.y'], isRequired: true } },
      'messages',
    )
    expect(fitted.request.toolChoice).toEqual({
      mode: 'some',
      names: fitted.names,
      isRequired: true,
    })
    const alone = fitTo(
      { tools: [fn('read', 'a')], toolChoice: { mode: 'some', names: ['read'], isRequired: true } },
      'messages',
    )
    expect(alone.request.toolChoice).toMatchObject({ names: ['a__read'] })
  })
})

describe('ids of calls', () => {
  test('are the same on call and result, and those without stay without', () => {
    const turns: Turn[] = [
      { role: 'assistant', parts: [call('a', { id: 'functions.a:0' }), call('b', { id: null })] },
      { role: 'tool', parts: [result('functions.a:0'), result(null)] },
    ]
    const parts = fitTo({ turns }, 'chat', { toolId: 'mistral9' }).request.turns.flatMap(
      (turn) => turn.parts,
    )
    expect(parts[0]).toMatchObject({ id: expect.stringMatching(/^[a-z0-9]{9}$/) })
    expect(parts[2]).toMatchObject({ callId: (parts[0] as ToolCallPart).id })
    expect([parts[1], parts[3]]).toMatchObject([{ id: null }, { callId: null }])
  })

  test('of the upstream reach the client unchanged', () => {
    expect(
      restored(fitTo({ tools: [patchTool] }, 'messages'), call('apply_patch', { id: 'toolu_1' })),
    ).toMatchObject([{ id: 'toolu_1' }])
  })
})
