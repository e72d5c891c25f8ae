import { describe, expect, test } from 'vitest'
import { pass } from '../../../support/strict/loops/through.ts'

const find = { name: 'find', description: 'Finds.', input_schema: { type: 'object' } }
const call = { type: 'tool_use', id: 'toolu_1', name: 'find', input: { what: 'keys' } }
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'In the hall.' }
/** As Cursor sends it. */
const asked = (...messages: object[]) => ({
  model: 'm',
  tools: [find],
  messages: [{ role: 'user', content: 'Find my keys.' }, ...messages],
})
const assistant = (...content: object[]) => ({ role: 'assistant', content })
const user = (...content: object[]) => ({ role: 'user', content })
const text = (words: string) => ({ type: 'text', text: words })

const toClaude = (body: Record<string, unknown>) =>
  pass('chat', 'messages', body, { model: 'claude-sonnet-5' })

describe('Anthropic’s blocks in a Chat call', () => {
  const whole = asked(assistant(text('I look.'), call), user(result, text('Thanks. And now?')))

  test('reach Claude as what they are, in their order', () => {
    const { body, losses } = toClaude(whole)
    expect(body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ text: 'I look.' }, call] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1' },
          { type: 'text', text: 'Thanks. And now?' },
        ],
      },
    ])
    expect(JSON.stringify(body.messages)).toContain('In the hall.')
    expect(body.tools).toMatchObject([{ name: 'find', input_schema: { type: 'object' } }])
    expect(losses).toEqual([])
  })

  test('reach a vendor of the Responses format, and one of Chat’s, as theirs', () => {
    const responses = pass('chat', 'responses', whole, { model: 'gpt-5.6' })
    expect(responses.body.input).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { type: 'function_call', name: 'find', arguments: '{"what":"keys"}' },
      { type: 'function_call_output', output: 'In the hall.' },
      { role: 'user' },
    ])
    const chat = pass('chat', 'chat', whole, { model: 'deepseek-v4-pro' })
    expect(chat.body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'I look.', tool_calls: [{ function: { name: 'find' } }] },
      { role: 'tool', content: 'In the hall.' },
      { role: 'user' },
    ])
    expect(chat.body.tools).toMatchObject([
      { type: 'function', function: { name: 'find', parameters: { type: 'object' } } },
    ])
  })

  test('that failed, or bring a picture, say so', () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' }
    const content = [text('Half of it.'), { type: 'image', source }]
    const { body } = toClaude(
      asked(assistant(call), user({ ...result, content, is_error: true }), user(text('And?'))),
    )
    expect(JSON.stringify(body.messages)).toContain('"is_error":true')
    expect(JSON.stringify(body.messages)).toContain(JSON.stringify(source))
  })

  test('of thoughts go back to Claude with their signatures, and to nobody else', () => {
    const thought = { type: 'thinking', thinking: 'The hall, mostly.', signature: 'c2lnbmVk' }
    const hidden = { type: 'redacted_thinking', data: 'aGlkZGVu' }
    const body = asked(assistant(thought, hidden, call), user(result))
    const { messages } = toClaude({ ...body, reasoning_effort: 'high' }).body
    expect(messages).toMatchObject([{}, { content: [thought, hidden, call] }, {}])
    const other = pass('chat', 'generate-content', body, { model: 'gemini-3.8-flash' })
    expect(JSON.stringify(other.body)).not.toMatch(/c2lnbmVk|aGlkZGVu/)
    expect(other.losses.map(({ path }) => path)).toContain('messages[1].content[1]')
  })

  test.each([
    ['base64', { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' }],
    ['url', { type: 'url', url: 'https://example.com/a.pdf' }],
    ['text', { type: 'text', media_type: 'text/plain', data: 'Hello' }],
  ])('of a document reach Claude: %s', (_, source) => {
    const document = { type: 'document', source, title: 'A' }
    const { body } = toClaude(asked(user(document, text('Read it.'))))
    expect(JSON.stringify(body.messages)).toContain(JSON.stringify(source))
  })

  test('that stand in tool_calls as well are one call', () => {
    const { id, name } = call
    const same = { id, type: 'function', function: { name, arguments: '{"what":"keys"}' } }
    const { body } = toClaude(
      asked({ ...assistant(call), tool_calls: [same] }, user(result), user(text('And?'))),
    )
    const { content } = (body.messages as { content: { type: string }[] }[])[1] ?? { content: [] }
    expect(content.filter(({ type }) => type === 'tool_use')).toHaveLength(1)
  })

  test.each([
    ['a call of the user’s', user(call)],
    ['a result of the assistant’s', assistant(result)],
    ['a call without a name', assistant({ ...call, name: undefined })],
    ['a result of no call', user({ ...result, tool_use_id: undefined })],
  ])('%s is none, and nothing of it gets lost unnoticed', (_, message) => {
    const refused = () => {
      const { losses } = toClaude(asked(message, user(text('And?'))))
      if (losses.length > 0) throw new Error(JSON.stringify(losses))
    }
    expect(refused).toThrow(/messages\[1\]\.content\[0\]/)
  })
})

test.each([
  [{ type: 'auto' }, { type: 'auto' }],
  [{ type: 'any' }, { type: 'any' }],
  [
    { type: 'tool', name: 'find' },
    { type: 'tool', name: 'find' },
  ],
])('a choice of tools in Anthropic’s words is read: %j', (tool_choice, spoken) => {
  const { body } = pass(
    'chat',
    'messages',
    { ...asked(), tool_choice },
    { model: 'claude-haiku-4-5' },
  )
  expect(body.tool_choice).toEqual(spoken)
})
