import { describe, expect, test } from 'vitest'
import { Loss } from '../../../../main/convert/loss.ts'
import { messagesConversion } from '../../../../main/convert/messages/conversion.ts'
import { modelRules } from '../../../../main/convert/model/model-rules.ts'
import { pass } from '../../../support/strict/loops/through.ts'
import type { Fields } from './exchange-parts.ts'

const others = ['chat', 'responses', 'generate-content'] as const
const models = { chat: 'gpt-5.1', responses: 'gpt-5.1', 'generate-content': 'gemini-3.8-flash' }

const user = (content: unknown): Fields => ({ role: 'user', content })
const system = (content: unknown, fields: Fields = {}): Fields => ({
  ...{ role: 'system', content },
  ...fields,
})
const answer: Fields = { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] }

/** As Claude Code 2.1.332 has it in an MCP server's conversation that goes on. */
const late = { name: 'late', description: 'Comes late.', input_schema: { type: 'object' } }
const news = [
  { type: 'tool_removal', tool: { type: 'tool_reference', name: 'early' } },
  { type: 'tool_addition', tool: { type: 'tool_reference', name: 'Read' } },
  {
    type: 'tool_addition',
    tool: { type: 'tool_definition', definition: late },
    cache_control: { type: 'ephemeral' },
  },
]

const body = (messages: Fields[], fields: Fields = {}): Fields => ({
  ...{ model: 'claude-opus-5-5', max_tokens: 64, thinking: { type: 'adaptive' } },
  ...{ output_config: { effort: 'low' }, messages },
  tools: [
    { name: 'early', input_schema: { type: 'object' } },
    { name: 'Read', input_schema: { type: 'object' }, defer_loading: true },
  ],
  ...fields,
})

const through = (to: (typeof others)[number], messages: Fields[]) =>
  pass('messages', to, body(messages), { model: models[to] })

describe.each(others)('what Claude Code says in system messages, for %s', (to) => {
  test('the effort that was stated last is the effort', () => {
    const messages = [
      user('Hi'),
      system('Mind the rules.', { output_config: { effort: 'medium' } }),
      answer,
      user('Harder now.'),
      system([], { output_config: { effort: 'high' } }),
    ]
    const { body: sent, losses } = through(to, messages)
    expect(JSON.stringify(sent)).toMatch(/"(?:reasoning_effort|effort|thinkingLevel)":"high"/i)
    expect(JSON.stringify(sent)).not.toContain('medium')
    expect(losses.map(({ path }) => path).join()).not.toContain('output_config')
  })

  test('a reminder is gone when the user has spoken again', () => {
    const reminder = (text: string) => system(text, { clear_at: 'next_user_message' })
    const messages = [user('Hi'), reminder('First.'), answer, user('Go on.'), reminder('Second.')]
    const { body: sent, losses } = through(to, messages)
    expect(JSON.stringify(sent)).not.toContain('First.')
    expect(JSON.stringify(sent)).toContain('Second.')
    expect(losses.map(({ path }) => path).join()).not.toContain('clear_at')
  })

  test('a tool that comes late can be called, and one that went is told of', () => {
    const { body: sent, losses } = through(to, [user('Hi'), system(news)])
    const { tools, ...rest } = sent
    expect(JSON.stringify(tools)).toContain('Comes late.')
    expect(JSON.stringify(rest)).toContain('The tool early is no longer available.')
    expect(JSON.stringify(rest)).toContain('The tool late is available.')
    expect(losses.map(({ path }) => path)).toContain('messages[1].content[0].tool_removal')
  })

  test('what is not stated as Anthropic states it is told as lost', () => {
    const messages = [
      user('Hi'),
      system('Rules.', { output_config: { effort: 'utmost', timing: 1 }, clear_at: 'soon' }),
    ]
    const paths = through(to, messages).losses.map(({ path }) => path)
    expect(paths).toContain('messages[1].output_config.effort')
    expect(paths).toContain('messages[1].output_config.timing')
    expect(paths).toContain('messages[1].clear_at')
  })
})

test('Anthropic gets all of it as it was', () => {
  const asked = body([
    user([{ type: 'text', text: 'Hi' }]),
    system([{ type: 'text', text: 'Rules.' }, ...news], { output_config: { effort: 'max' } }),
    answer,
    user([{ type: 'text', text: 'Go on.' }]),
    system([{ type: 'text', text: 'Once.' }], { clear_at: 'next_user_message' }),
    system([], { output_config: { effort: 'high', timing: { now: 1 } } }),
  ])
  const model = String(asked.model)
  const loss = new Loss(messagesConversion.fieldNames)
  const target = { model, rules: modelRules('messages', model), loss }
  const request = messagesConversion.decodeRequest(asked, {})
  expect(messagesConversion.encodeRequest(request, target)).toEqual(asked)
  expect(loss.entries).toEqual([])
})
