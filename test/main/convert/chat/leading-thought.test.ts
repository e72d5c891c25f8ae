import { describe, expect, test } from 'vitest'
import { chatConversion } from '../../../../main/convert/chat/conversion.ts'
import { eventsOf, pass } from '../../../support/strict/loops/through.ts'
import { chunk, decodeStream, done } from './small-exchange.ts'

const told = (...pieces: string[]) => {
  const parts = decodeStream(
    ...pieces.map((content) => chunk({ content })),
    chunk({}, 'stop'),
    done,
  )
  const textOf = (type: string) =>
    parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('')
  return { thought: textOf('reasoning-delta'), text: textOf('text-delta') }
}
const answer = '<think>\nLet me see: a < b.\n</think>\n\nHello, <think> is a tag.'
const split = { thought: 'Let me see: a < b.', text: 'Hello, <think> is a tag.' }

describe('a thought that stands between tags before the answer', () => {
  test('is none of its text, however the stream is cut', () => {
    expect(told(answer)).toEqual(split)
    expect(told(...answer)).toEqual(split)
    for (let size = 2; size < 12; size++) {
      const pieces = answer.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      expect(told(...pieces), `pieces of ${size}`).toEqual(split)
    }
  })

  test('is all there is where the answer breaks off in it', () => {
    expect(told('<think>', 'So much', ' to say')).toEqual({ thought: 'So much to say', text: '' })
  })

  test('stands before a call, too', () => {
    const call = { index: 0, id: 'call_1', function: { name: 'f', arguments: '{}' } }
    const types = decodeStream(
      chunk({ content: '<think>Call it' }),
      chunk({ tool_calls: [call] }, 'tool_calls'),
      done,
    ).map(({ type }) => type)
    const order = ['reasoning-start', 'reasoning-delta', 'reasoning-end', 'call-start']
    expect(types.filter((type) => order.includes(type))).toEqual(order)
  })
})

test.each(['<', '<thin', '<b>bold</b>', '\n\nHi', 'Hi <think>no</think>', '<thinking>x'])(
  'an answer that begins with %j keeps all of its text',
  (text) => {
    expect(told(...text)).toEqual({ thought: '', text })
  },
)

test('a vendor with a field for thoughts may write the tag in its text', () => {
  const parts = decodeStream(
    chunk({ reasoning_content: 'Hm' }),
    chunk({ content: '<think>' }),
    chunk({}, 'stop'),
    done,
  )
  expect(parts).toContainEqual(expect.objectContaining({ type: 'text-delta', text: '<think>' }))
})

describe('MiniMax', () => {
  const model = 'MiniMax-M3'
  const ask = { model, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }
  const message = { role: 'assistant', content: answer }
  const whole = {
    id: 'x',
    created: 1,
    model,
    choices: [{ index: 0, message, finish_reason: 'stop' }],
  }

  test('gets its thought back as it wrote it, which Claude Code was shown as one', () => {
    const given = pass('messages', 'chat', ask, { model }).whole(whole).content as object[]
    expect(given).toMatchObject([
      { type: 'thinking', thinking: split.thought },
      { type: 'text', text: split.text },
    ])
    const next = { ...ask, messages: [...ask.messages, { role: 'assistant', content: given }] }
    next.messages.push({ role: 'user', content: 'Go on' })
    const { body, losses } = pass('messages', 'chat', next, { model })
    expect((body.messages as object[])[1]).toEqual(message)
    expect(losses).toEqual([])
  })

  test('streams it to Codex as reasoning', () => {
    const passage = pass('responses', 'chat', { model, input: 'Hi' }, { model })
    const text = passage.stream(
      eventsOf(`${chunk({ content: answer })}${chunk({}, 'stop')}${done}`),
    )
    expect(text).toContain('response.reasoning_text.delta')
    expect(text).not.toContain('</think>')
  })
})

test('each token keeps its own probability, also where the first is only white space', () => {
  const token = (content: string) => {
    const logprobs = { content: [{ token: content }] }
    const choices = [{ index: 0, delta: { content }, logprobs }]
    return `data: ${JSON.stringify({ id: 'c', choices })}\n\n`
  }
  const parts = decodeStream(token('\n'), token('Hi'), chunk({}, 'stop'), done)
  const texts = parts.filter(({ type }) => type === 'text-delta')
  expect(texts.map((part) => 'text' in part && part.text)).toEqual(['\n', 'Hi'])
  for (const part of texts) expect(JSON.stringify(part)).toContain('"token"')
})

test('tags with no thought between them are no part of the answer, streamed or whole', () => {
  const content = '<think>\n\n</think>\n\nHello'
  expect(told(content)).toEqual({ thought: '', text: 'Hello' })
  expect(told(...content)).toEqual({ thought: '', text: 'Hello' })
  const { choices } = chatConversion.decodeResponse({
    ...{ id: 'a', object: 'chat.completion', created: 1, model: 'm' },
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  })
  expect(choices[0]?.parts).toEqual([{ type: 'text', text: 'Hello' }])
})
