import { describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import type { RouteConditions } from '../../../../main/store/records/routes.ts'
import { best, modelsAsked, route, staged, target } from './route-stage.ts'
import type { Stage } from './routing-stage.ts'

describe('a rule', () => {
  const png = 'iVBORw0KGgo='
  const long = 'word '.repeat(3000)
  const withRule = (stage: Stage, when: RouteConditions) =>
    route(stage, {
      targets: [target('model-a')],
      rules: [{ name: 'special', when, targets: [target('model-b')] }],
    })
  const user = (content: unknown) => ({ messages: [{ role: 'user', content }] })
  const tool = { name: 'f', parameters: { type: 'object' } }
  const claudeCode = { 'x-claude-code-session-id': '0b0c7f3e-1111' }

  const cases: [string, RouteConditions, WireFormat, object, object?, Record<string, string>?][] = [
    ['a long prompt', { minInputTokens: 1000 }, 'chat', user(long), user('Hi')],
    ['a short prompt', { maxInputTokens: 1000 }, 'chat', user('Hi'), user(long)],
    [
      'a picture',
      { images: true },
      'chat',
      user([{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }]),
    ],
    [
      'a picture',
      { images: true },
      'messages',
      user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }]),
    ],
    [
      'a picture in a tool’s result',
      { images: true },
      'messages',
      {
        messages: [
          { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: {} }] },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 't1',
                content: [
                  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
                ],
              },
            ],
          },
        ],
      },
    ],
    [
      'a picture',
      { images: true },
      'responses',
      {
        input: [
          {
            role: 'user',
            content: [{ type: 'input_image', image_url: `data:image/png;base64,${png}` }],
          },
        ],
      },
    ],
    [
      'a picture',
      { images: true },
      'generate-content',
      {
        contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: png } }] }],
      },
    ],
    [
      'no picture',
      { images: false },
      'chat',
      user('Hi'),
      user([{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }]),
    ],
    ['tools', { tools: true }, 'chat', { tools: [{ type: 'function', function: tool }] }],
    [
      'tools',
      { tools: true },
      'messages',
      { tools: [{ name: 'f', input_schema: { type: 'object' } }] },
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    ],
    ['tools', { tools: true }, 'responses', { tools: [{ type: 'function', ...tool }] }],
    ['tools', { tools: true }, 'generate-content', { tools: [{ functionDeclarations: [tool] }] }],
    [
      'web search',
      { webSearch: true },
      'messages',
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      { tools: [{ name: 'f', input_schema: { type: 'object' } }] },
    ],
    ['web search', { webSearch: true }, 'chat', { web_search_options: {} }],
    ['web search', { webSearch: true }, 'responses', { tools: [{ type: 'web_search' }] }],
    ['web search', { webSearch: true }, 'generate-content', { tools: [{ googleSearch: {} }] }],
    [
      'reasoning',
      { reasoning: true },
      'chat',
      { reasoning_effort: 'high' },
      { reasoning_effort: 'none' },
    ],
    [
      'reasoning',
      { reasoning: true },
      'messages',
      { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1024 } },
      { thinking: { type: 'disabled' } },
    ],
    [
      'reasoning',
      { reasoning: true },
      'chat',
      { reasoning: { max_tokens: 500 } },
      { reasoning: { max_tokens: 0 } },
    ],
    [
      'reasoning',
      { reasoning: true },
      'generate-content',
      { generationConfig: { thinkingConfig: { includeThoughts: true } } },
      { generationConfig: { thinkingConfig: { includeThoughts: false } } },
    ],
    ['reasoning', { reasoning: true }, 'responses', { reasoning: { effort: 'low' } }],
    [
      'reasoning',
      { reasoning: true },
      'generate-content',
      { generationConfig: { thinkingConfig: { thinkingBudget: 512 } } },
      { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } },
    ],
    ['a client by its agent', { clients: ['Claude-Code'] }, 'messages', {}, {}, claudeCode],
    [
      'a client by a part of its name',
      { clients: ['other', 'aider'] },
      'chat',
      {},
      {},
      { 'user-agent': 'Aider/0.86' },
    ],
    [
      'a side task',
      { background: true },
      'responses',
      {},
      {},
      { 'user-agent': 'codex_cli', 'session-id': 's', 'x-openai-memgen-request': 'true' },
    ],
  ]
  test.each(cases)('of %s (%o, %s) chooses', async (_, when, format, more, other = {}, headers) => {
    const stage = await staged(format)
    withRule(stage, when)
    const special = await stage.call(format, { ...best, more, ...(headers && { headers }) })
    expect(special.status).toBe(200)
    expect(modelsAsked(stage)).toEqual(['model-b'])
    expect(stage.routeOf(special).named).toEqual({ name: 'best', rule: 'special' })
    const plain = await stage.call(format, { ...best, more: other })
    expect(modelsAsked(stage)[1]).toBe('model-a')
    expect(stage.routeOf(plain).named).toEqual({ name: 'best' })
  })

  test('for up to so many tokens takes a prompt of exactly as many', async () => {
    const stage = await staged()
    const { messages } = user('Hi')
    const counted = await stage.pair.send('/v1/messages/count_tokens', {
      body: { model: 'model-a', messages },
      headers: { 'anthropic-version': '2023-06-01' },
    })
    const { input_tokens: tokens } = counted.json<{ input_tokens: number }>()
    route(stage, {
      targets: [target('model-a')],
      rules: [
        { name: 'less', when: { maxInputTokens: tokens - 1 }, targets: [target('model-c')] },
        { name: 'exactly', when: { maxInputTokens: tokens }, targets: [target('model-b')] },
      ],
    })
    await stage.call('messages', { ...best, more: { messages } })
    expect(modelsAsked(stage)).toEqual(['model-b'])
  })

  test('of a token chooses for that token alone', async () => {
    const stage = await staged()
    const { parts, key } = stage.pair.gateway
    const own = parts.tokens.all().find((token) => token.key === key.replace('sk-', ''))
    withRule(stage, { tokenIds: [own?.id ?? 0] })
    const other = parts.tokens.create({ userId: own?.userId ?? 0, unlimitedQuota: true })
    await stage.call('chat', best)
    const authorization = `Bearer sk-${other.key}`
    await stage.call('chat', { ...best, headers: { authorization } })
    expect(modelsAsked(stage)).toEqual(['model-b', 'model-a'])
  })

  test('needs all of its conditions, and the first that has them chooses', async () => {
    const stage = await staged()
    route(stage, {
      targets: [target('model-a')],
      rules: [
        { name: 'both', when: { tools: true, reasoning: true }, targets: [target('model-c')] },
        { name: 'one', when: { tools: true }, targets: [target('model-b')] },
      ],
    })
    const tools = [{ type: 'function', function: tool }]
    await stage.call('chat', { ...best, more: { tools } })
    await stage.call('chat', { ...best, more: { tools, reasoning_effort: 'low' } })
    expect(modelsAsked(stage)).toEqual(['model-b', 'model-c'])
  })

  test('a body that cannot be read has nothing in it', async () => {
    const stage = await staged()
    withRule(stage, { images: true })
    const messages = [{ role: 'user', content: { picture: 7 } }]
    await stage.pair.send('/v1/chat/completions', { body: { model: 'best', messages } })
    expect(modelsAsked(stage)).toEqual(['model-a'])
  })
})
