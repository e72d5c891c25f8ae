import { describe, expect, test } from 'vitest'
import { carriesMark, markState } from '../../../../main/convert/reasoning/reasoning-state.ts'
import {
  call,
  chatAnswer,
  claude,
  claudeBody,
  claudeLoop,
  deepseek,
  gemini,
  gpt,
  itemsBody,
  loop,
  messagesOf,
  result,
  use,
  used,
} from '../../../support/strict/loops/small-bodies.ts'
import { pass } from '../../../support/strict/loops/through.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'

describe('reasoning', () => {
  test('pitfall 7: Gemini 3 gets its signature back, and its stand-in for a call from elsewhere', () => {
    const answer = {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { functionCall: { name: 'get', args: {}, id: 'f1' }, thoughtSignature: 'c2lnbmVk' },
            ],
          },
          finishReason: 'STOP',
        },
      ],
    }
    const { content } = pass('messages', 'generate-content', claudeBody, { model: gemini }).whole(
      answer,
    )
    const id = (content as Json[]).find(({ type }) => type === 'tool_use')?.id
    const echo = claudeLoop(content as Json[], [{ ...used, tool_use_id: id }])
    const sent = JSON.stringify(pass('messages', 'generate-content', echo, { model: gemini }).body)
    expect(sent).toContain('"thoughtSignature":"c2lnbmVk"')
    const foreign = pass('chat', 'generate-content', loop([call('call_1')], result('call_1')), {
      model: gemini,
    })
    expect(JSON.stringify(foreign.body)).toContain('skip_thought_signature_validator')
  })

  test('pitfall 8: no vendor gets another’s signature', () => {
    const real = { type: 'thinking', thinking: 'Hm.', signature: 'EqQBClaude' }
    const ours = {
      type: 'thinking',
      thinking: 'Ha.',
      signature: markState({
        origin: 'generate-content',
        kind: 'signature',
        data: 'R29vZ2xl',
        model: gemini,
      }),
    }
    const google = JSON.stringify(
      pass('messages', 'generate-content', claudeLoop([real, use], [used]), { model: gemini }).body,
    )
    expect(google).not.toContain('EqQBClaude')
    const anthropic = JSON.stringify(
      pass('messages', 'messages', claudeLoop([ours, use], [used]), { model: claude }).body,
    )
    expect(anthropic).not.toContain(ours.signature)
    expect(anthropic).not.toContain('R29vZ2xl')
    const openai = JSON.stringify(
      pass('messages', 'responses', claudeLoop([real, use], [used]), { model: gpt }).body,
    )
    expect(openai).not.toContain('EqQBClaude')
    expect(openai).not.toContain('"type":"reasoning"')
  })

  test('pitfall 8: Codex that goes on from DeepSeek to OpenAI takes no thoughts along', () => {
    const answer = chatAnswer(
      { reasoning_content: 'I look it up.', tool_calls: [call('call_1')] },
      'tool_calls',
    )
    const output = pass('responses', 'chat', itemsBody(), { model: deepseek }).whole(answer)
      .output as Json[]
    const given = { type: 'function_call_output', call_id: 'call_1', output: 'ok' }
    // Codex sends no ids of items.
    const body = itemsBody(...output.map(({ id: _, ...item }) => item), given)
    const thought = output.find(({ type }) => type === 'reasoning')
    expect(carriesMark(Buffer.from(JSON.stringify(body)))).toBe(true)
    expect(JSON.stringify(thought)).toContain('I look it up.')
    const openai = pass('responses', 'responses', { ...body, store: false }, { model: gpt }).body
    expect((openai.input as Json[]).map(({ type }) => type)).toEqual([
      'message',
      'function_call',
      'function_call_output',
    ])
    const back = pass('responses', 'chat', body, { model: deepseek })
    expect(messagesOf(back.body).find(({ role }) => role === 'assistant')?.reasoning_content).toBe(
      'I look it up.',
    )
    expect(back.losses).toEqual([])
  })

  test('pitfall 9: DeepSeek gets its thoughts back in a tool loop', () => {
    const answer = chatAnswer(
      { reasoning_content: 'I look it up.', tool_calls: [call('call_1')] },
      'tool_calls',
    )
    const { content } = pass('messages', 'chat', claudeBody, { model: deepseek }).whole(answer)
    const id = (content as Json[]).find(({ type }) => type === 'tool_use')?.id
    const { body } = pass(
      'messages',
      'chat',
      claudeLoop(content as Json[], [{ ...used, tool_use_id: id }]),
      { model: deepseek },
    )
    expect(messagesOf(body).find(({ role }) => role === 'assistant')?.reasoning_content).toBe(
      'I look it up.',
    )
    const without = pass('messages', 'chat', claudeLoop([use], [used]), { model: deepseek }).body
    expect(messagesOf(without).find(({ role }) => role === 'assistant')).toHaveProperty(
      'reasoning_content',
    )
  })

  test('pitfall 10: a reasoning item stays before its call, and nothing is asked for by id', () => {
    const output = [
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'Hm.' }],
        encrypted_content: 'Z2VoZWlt',
      },
      {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'call_1',
        name: 'get',
        arguments: '{}',
        status: 'completed',
      },
    ]
    const answer = {
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: 'm',
      output,
      usage: null,
    }
    const { content } = pass('messages', 'responses', claudeBody, { model: gpt }).whole(answer)
    const id = (content as Json[]).find(({ type }) => type === 'tool_use')?.id
    const { body } = pass(
      'messages',
      'responses',
      claudeLoop(content as Json[], [{ ...used, tool_use_id: id }]),
      { model: gpt },
    )
    const input = body.input as Json[]
    const at = input.findIndex(({ type }) => type === 'reasoning')
    expect(input[at]).toMatchObject({ encrypted_content: 'Z2VoZWlt' })
    expect(input[at + 1]?.type).toBe('function_call')
    expect(body.store).toBe(false)
    expect(body.include).toContain('reasoning.encrypted_content')
    expect(input.some(({ type }) => type === 'item_reference')).toBe(false)
  })
})
