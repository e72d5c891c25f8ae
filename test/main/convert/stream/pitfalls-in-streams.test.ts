import { describe, expect, test } from 'vitest'
import { dataLine, namedEvent } from '../../../support/strict/answers/answer.ts'
import {
  block,
  blocksOf,
  call,
  chatAnswer,
  chatBody,
  chatEvents,
  chatMessage,
  chunk,
  claude,
  claudeAnswer,
  claudeBody,
  claudeStream,
  contentOf,
  deepseek,
  done,
  gemini,
  itemsBody,
  loop,
  messagesOf,
  result,
  started,
  stopped,
  toolCalls,
  toolDelta,
  usageChunk,
  use,
} from '../../../support/strict/loops/small-bodies.ts'
import { eventsOf, objectsOf, pass } from '../../../support/strict/loops/through.ts'

describe('tokens', () => {
  test('pitfall 1: cached tokens are counted once', () => {
    const usage = {
      input_tokens: 10,
      cache_creation_input_tokens: 5,
      cache_read_input_tokens: 100,
      output_tokens: 7,
    }
    const { whole } = pass('chat', 'messages', chatBody, { model: claude })
    expect(whole(claudeAnswer([{ type: 'text', text: 'x' }], { usage })).usage).toMatchObject({
      prompt_tokens: 115,
      completion_tokens: 7,
      total_tokens: 122,
      prompt_tokens_details: { cached_tokens: 100 },
    })
    const back = pass('messages', 'chat', claudeBody, { model: deepseek }).whole
    const cached = {
      prompt_tokens: 115,
      completion_tokens: 7,
      total_tokens: 122,
      prompt_tokens_details: { cached_tokens: 100 },
    }
    expect(back(chatAnswer({ content: 'x' }, 'stop', cached)).usage).toMatchObject({
      input_tokens: 15,
      cache_read_input_tokens: 100,
      output_tokens: 7,
    })
  })

  test('pitfall 2: message_start has an estimate, message_delta the truth', () => {
    const { stream } = pass('messages', 'chat', claudeStream, { model: deepseek })
    const events = objectsOf(
      stream(
        chatEvents(chunk({ role: 'assistant', content: 'x' }), chunk({}, 'stop'), usageChunk, done),
      ),
    )
    expect(events[0]).toMatchObject({
      type: 'message_start',
      message: { usage: { input_tokens: 77 } },
    })
    expect(events.find(({ type }) => type === 'message_delta')).toMatchObject({
      usage: { input_tokens: 50, output_tokens: 6 },
    })
  })

  test('pitfall 26: usage comes only to who asked, and a chunk without choices harms nobody', () => {
    const events = chatEvents(
      dataLine({ id: '', choices: [], prompt_filter_results: [] }),
      chunk({ content: 'x' }),
      chunk({}, 'stop'),
      usageChunk,
      done,
    )
    const anthropic = chatEvents(
      started +
        block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'x' }) +
        stopped('end_turn'),
    )
    const unasked = pass('chat', 'messages', { ...chatBody, stream: true }, { model: claude })
    expect(unasked.stream(anthropic)).not.toContain('"choices":[]')
    const asked = pass(
      'chat',
      'messages',
      { ...chatBody, stream: true, stream_options: { include_usage: true } },
      { model: claude },
    )
    expect(asked.stream(anthropic)).toMatch(/"choices":\[\].*"prompt_tokens":3/)
    expect(pass('messages', 'chat', claudeStream, { model: deepseek }).stream(events)).toContain(
      'message_stop',
    )
  })
})

describe('streams', () => {
  test('pitfall 3: a call without arguments is {} on every way', () => {
    const empty = chatEvents(
      toolDelta(0, '', { id: 'call_1', name: 'get' }),
      chunk({}, 'tool_calls'),
      done,
    )
    const [tool] = blocksOf(
      objectsOf(pass('messages', 'chat', claudeStream, { model: deepseek }).stream(empty)),
    )
    expect(JSON.parse(String(tool?.json || '{}'))).toEqual({})
    const bare = chatEvents(
      started +
        block(0, { ...use }, { type: 'input_json_delta', partial_json: '' }) +
        stopped('tool_use'),
    )
    expect(
      toolCalls(
        chatMessage(pass('chat', 'messages', chatBody, { model: claude }).collected(bare))?.message,
      )[0]?.function.arguments,
    ).toBe('{}')
    expect(
      pass('chat', 'messages', { ...chatBody, stream: true }, { model: claude }).stream(bare),
    ).toContain('"arguments":"{}"')
    const { body } = pass('chat', 'messages', loop([call('call_1', 'get', '')], result('call_1')), {
      model: claude,
    })
    expect(contentOf(messagesOf(body)[1]).at(-1)).toMatchObject({ type: 'tool_use', input: {} })
  })

  test('pitfall 4: calls that interleave arrive in blocks of their own', () => {
    const events = chatEvents(
      toolDelta(0, '', { id: 'call_1', name: 'get' }),
      toolDelta(0, '{"a":'),
      toolDelta(1, '{"b"', { id: 'call_2', name: 'put' }),
      toolDelta(0, '1}'),
      toolDelta(1, ':2}'),
      chunk({}, 'tool_calls'),
      done,
    )
    const blocks = blocksOf(
      objectsOf(pass('messages', 'chat', claudeStream, { model: deepseek }).stream(events)),
    )
    expect(blocks.map(({ name, json }) => [name, json])).toEqual([
      ['get', '{"a":1}'],
      ['put', '{"b":2}'],
    ])
  })

  test('pitfall 5: text after a call is text', () => {
    const events = chatEvents(
      toolDelta(0, '{}', { id: 'call_1', name: 'get' }),
      chunk({ content: 'And now' }),
      chunk({}, 'tool_calls'),
      done,
    )
    const blocks = blocksOf(
      objectsOf(pass('messages', 'chat', claudeStream, { model: deepseek }).stream(events)),
    )
    expect(blocks.map(({ type }) => type).sort()).toEqual(['text', 'tool_use'])
    expect(blocks.find(({ type }) => type === 'text')?.text).toBe('And now')
  })

  test('pitfall 6: the first piece of text is not lost', () => {
    const events = chatEvents(
      chunk({ role: 'assistant', content: 'First' }),
      chunk({ content: ' second' }),
      chunk({}, 'stop'),
      done,
    )
    const [text] = blocksOf(
      objectsOf(pass('messages', 'chat', claudeStream, { model: deepseek }).stream(events)),
    )
    expect(text?.text).toBe('First second')
    const whole = pass('responses', 'chat', itemsBody(), { model: deepseek }).collected(events)
    expect(JSON.stringify(whole.output)).toContain('First second')
  })

  test('pitfall 15: calls decide the stop reason', () => {
    const forced = chatAnswer({ tool_calls: [call('call_1')] }, 'stop')
    expect(
      pass('messages', 'chat', claudeBody, { model: deepseek }).whole(forced).stop_reason,
    ).toBe('tool_use')
    const google = {
      candidates: [
        {
          content: { role: 'model', parts: [{ functionCall: { name: 'get' } }] },
          finishReason: 'STOP',
        },
      ],
    }
    expect(
      chatMessage(pass('chat', 'generate-content', chatBody, { model: gemini }).whole(google))
        ?.finish_reason,
    ).toBe('tool_calls')
    const claimed = chatAnswer({ content: 'x' }, 'tool_calls')
    expect(
      pass('messages', 'chat', claudeBody, { model: deepseek }).whole(claimed).stop_reason,
    ).toBe('end_turn')
  })

  test('pitfall 24: a stream that is cut or fails has no good end', () => {
    const text = block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'x' })
    const cut = pass('chat', 'messages', { ...chatBody, stream: true }, { model: claude })
    expect(cut.stream(eventsOf(started + text))).not.toContain('[DONE]')
    const failed =
      started +
      text +
      namedEvent({ type: 'error', error: { type: 'overloaded_error', message: 'Too much.' } })
    const told = cut.stream(eventsOf(failed))
    expect(told).toContain('Too much.')
    expect(told).not.toContain('[DONE]')
    const open = pass('messages', 'chat', claudeStream, { model: deepseek }).stream(
      chatEvents(chunk({ content: 'x' })),
    )
    expect(open).not.toContain('message_stop')
  })
})
