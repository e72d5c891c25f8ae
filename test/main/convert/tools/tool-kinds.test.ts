import { describe, expect, test } from 'vitest'
import type { Part, ToolDefinition, Turn } from '../../../../main/convert/exchange.ts'
import {
  call,
  delta,
  end,
  fitTo,
  fn,
  patchTool,
  restored,
  result,
  start,
  streamed,
} from '../../../support/recordings/fit-tools.ts'

describe('freeform tools, as Codex has them', () => {
  const turns: Turn[] = [
    {
      role: 'assistant',
      parts: [call('apply_patch', { kind: 'freeform', arguments: '*** Begin "x"\n' })],
    },
    { role: 'tool', parts: [{ ...(result('call_1') as object), kind: 'freeform' } as Part] },
  ]

  test('become a function with one text, which comes back as free text', () => {
    const toolChoice = { mode: 'one', name: 'apply_patch', kind: 'freeform' } as const
    const fitted = fitTo({ tools: [patchTool], turns, toolChoice }, 'messages')
    expect(fitted.request.tools).toMatchObject([
      {
        type: 'function',
        name: 'apply_patch',
        at: 'tools[0]',
        schema: {
          properties: { input: { type: 'string' } },
          required: ['input'],
          additionalProperties: false,
        },
      },
    ])
    const [tool] = fitted.request.tools
    expect(tool).not.toHaveProperty('grammar')
    expect(tool).toHaveProperty(
      'description',
      expect.stringContaining('lark grammar:\nstart: "*** Begin Patch"'),
    )
    expect(fitted.request.toolChoice).toEqual({
      mode: 'one',
      name: 'apply_patch',
      kind: 'function',
    })
    expect(fitted.request.turns).toMatchObject([
      { parts: [{ kind: 'function', arguments: '{"input":"*** Begin \\"x\\"\\n"}' }] },
      { parts: [{ kind: 'function' }] },
    ])
    expect(fitted.loss.entries).toMatchObject([{ path: 'tools[0]', kind: 'approximated' }])
    expect(restored(fitted, call('apply_patch', { arguments: '{"input": "a\\nb"}' }))).toEqual([
      call('apply_patch', { kind: 'freeform', arguments: 'a\nb' }),
    ])
  })

  test('come back piece by piece in a stream', () => {
    const fitted = fitTo({ tools: [patchTool, fn('other')] }, 'chat')
    const parts = streamed(fitted, [
      start(0, 'apply_patch'),
      delta(0, '{"inp'),
      start(1, 'other'),
      delta(1, '{"input":"x"}'),
      delta(0, 'ut":"*** B\\n'),
      delta(0, '\\ud83d'),
      delta(0, '\\ude00"}'),
      end(0),
      end(1),
    ])
    expect(parts.map((part) => ('text' in part ? [part.block, part.text] : part.type))).toEqual([
      'call-start',
      'call-start',
      [1, '{"input":"x"}'],
      [0, '*** B\n'],
      [0, '😀'],
      'call-end',
      'call-end',
    ])
    expect(parts[0]).toMatchObject({ kind: 'freeform', name: 'apply_patch' })
    expect(parts[1]).toMatchObject({ kind: 'function' })
  })

  test('come back whole where the model wrote something else', () => {
    const fitted = fitTo({ tools: [patchTool] }, 'chat')
    const parts = streamed(fitted, [
      start(0, 'apply_patch'),
      delta(0, '*** Begin'),
      delta(0, ' Patch'),
      end(0),
    ])
    expect(parts[1]).toEqual(delta(0, '*** Begin Patch'))
    expect(restored(fitted, call('apply_patch', { arguments: '*** Begin Patch' }))).toMatchObject([
      { arguments: '*** Begin Patch' },
    ])
  })

  test('stay where the upstream has them', () => {
    const fitted = fitTo({ tools: [patchTool], turns }, 'chat', { freeformTools: true })
    expect(fitted.request).toMatchObject({ tools: [patchTool], turns })
    const own = call('apply_patch', { kind: 'freeform', arguments: '{"input":"a"}' })
    expect(restored(fitted, own)).toEqual([own])
    expect(fitted.loss.entries).toEqual([])
  })

  test('are known as such though the list no longer has them', () => {
    expect(
      restored(fitTo({ turns }, 'chat'), call('apply_patch', { arguments: '{"input":"a"}' })),
    ).toMatchObject([{ kind: 'freeform', arguments: 'a' }])
  })
})

describe('tools that a vendor defines and the client runs', () => {
  test('Claude’s bash and editor are functions elsewhere, under their own names', () => {
    const tools: ToolDefinition[] = [
      {
        type: 'hosted',
        tool: 'bash',
        name: 'bash_20250124',
        origin: 'messages',
        value: { type: 'bash_20250124', name: 'bash' },
      },
      {
        type: 'hosted',
        tool: 'text-editor',
        name: 'text_editor_20250728',
        origin: 'messages',
        value: {
          type: 'text_editor_20250728',
          name: 'str_replace_based_edit_tool',
          max_characters: 900,
        },
        cacheMark: { ttl: null },
      },
    ]
    const toolChoice = { mode: 'one', name: 'bash', kind: 'hosted' } as const
    const fitted = fitTo({ origin: 'messages', tools, toolChoice }, 'chat')
    expect(fitted.request.tools).toMatchObject([
      { type: 'function', name: 'bash', schema: { properties: { command: {}, restart: {} } } },
      {
        type: 'function',
        name: 'str_replace_based_edit_tool',
        description: expect.stringContaining('900'),
        cacheMark: { ttl: null },
      },
    ])
    expect(fitted.request.toolChoice).toEqual({ mode: 'one', name: 'bash', kind: 'function' })
    expect(fitted.loss.entries).toMatchObject([{ kind: 'approximated' }])
    expect(restored(fitted, call('bash'))).toEqual([call('bash')])
    expect(fitTo({ origin: 'messages', tools }, 'messages').request.tools).toEqual(tools)
  })

  test('tools that run at a vendor are left for the encoder', () => {
    const tools: ToolDefinition[] = [
      {
        type: 'hosted',
        tool: 'web-search',
        name: 'web_search',
        origin: 'responses',
        value: { type: 'web_search' },
      },
      {
        type: 'hosted',
        tool: 'shell',
        name: 'shell',
        origin: 'responses',
        value: { type: 'shell', environment: { type: 'container_auto' } },
      },
    ]
    const toolChoice = { mode: 'one', name: 'web_search', kind: 'hosted' } as const
    expect(fitTo({ tools, toolChoice }, 'messages').request).toMatchObject({ tools, toolChoice })
  })

  test('OpenAI’s own, which are functions already, are told apart for other vendors only', () => {
    const native = { origin: 'responses', fields: { type: 'shell' } } as const
    const tools = [{ ...fn('shell'), at: 'tools[0]', native }]
    const fitted = fitTo({ tools }, 'messages')
    expect(fitted.request.tools).toEqual([{ ...fn('shell'), at: 'tools[0]' }])
    expect(fitted.loss.entries).toMatchObject([{ path: 'tools[0]', kind: 'approximated' }])
    expect(fitTo({ tools }, 'responses').request.tools).toEqual(tools)
  })
})
