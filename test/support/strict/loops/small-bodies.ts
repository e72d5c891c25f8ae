import { expect } from 'vitest'
import { dataLine, namedEvent } from '../answers/answer.ts'
import type { Json } from '../requests/refusal.ts'
import { eventsOf } from './through.ts'

export const claude = 'claude-opus-5-5'
export const olderClaude = 'claude-sonnet-4-5'
export const gemini = 'gemini-3.5-pro'
export const gpt = 'gpt-5.6-sol'
export const deepseek = 'deepseek-v4'

export const hi = { role: 'user', content: 'Hi' }
export const chatBody = { model: 'm', messages: [hi] }
export const claudeBody = { model: 'm', max_tokens: 100, messages: [hi] }
export const claudeStream = { ...claudeBody, stream: true }
export const itemsBody = (...input: Json[]) => ({
  model: 'm',
  input: [{ ...hi, type: 'message' }, ...input],
})
export const call = (id: string, name = 'get', args = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
export const result = (id: string, content: unknown = 'ok') => ({
  role: 'tool',
  tool_call_id: id,
  content,
})
export const loop = (calls: Json[], ...rest: Json[]) => ({
  ...chatBody,
  messages: [hi, { role: 'assistant', content: null, tool_calls: calls }, ...rest],
  tools: ['get', 'put'].map((name) => ({
    type: 'function',
    function: { name, parameters: { type: 'object', properties: {} } },
  })),
})
export const claudeTool = (name: string) => ({
  name,
  input_schema: { type: 'object', properties: {} },
})
export const claudeLoop = (assistant: Json[], user: Json[]) => ({
  ...claudeBody,
  tools: [claudeTool('get')],
  messages: [hi, { role: 'assistant', content: assistant }, { role: 'user', content: user }],
})
export const use = { type: 'tool_use', id: 'toolu_1', name: 'get', input: {} }
export const used = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }

export const chunk = (delta: Json, finish: string | null = null) =>
  dataLine({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
export const toolDelta = (index: number, args: string, head?: { id: string; name: string }) =>
  chunk({
    tool_calls: [
      {
        index,
        ...(head && { id: head.id, type: 'function' }),
        function: { ...(head && { name: head.name }), arguments: args },
      },
    ],
  })
export const usageChunk = dataLine({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [],
  usage: { prompt_tokens: 50, completion_tokens: 6, total_tokens: 56 },
})
export const done = 'data: [DONE]\n\n'
export const chatEvents = (...chunks: string[]) => eventsOf(chunks.join(''))
export const started = namedEvent({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 1 },
  },
})
export const block = (index: number, content: Json, ...deltas: Json[]) =>
  [
    namedEvent({ type: 'content_block_start', index, content_block: content }),
    ...deltas.map((delta) => namedEvent({ type: 'content_block_delta', index, delta })),
    namedEvent({ type: 'content_block_stop', index }),
  ].join('')
export const stopped = (reason: string) =>
  namedEvent({
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 5 },
  }) + namedEvent({ type: 'message_stop' })

/** The blocks that an Anthropic SDK would hold after these events; throws where it would not find one. */
export function blocksOf(events: readonly Json[]): Json[] {
  const blocks: Json[] = []
  let open: number | null = null
  for (const { type, index, content_block: start, delta } of events) {
    if (type === 'content_block_start') {
      expect(open).toBeNull()
      expect(index).toBe(blocks.length)
      open = Number(index)
      blocks.push({ ...(start as Json), json: '' })
    } else if (type === 'content_block_delta') {
      expect(index).toBe(open)
      const at = blocks[Number(index)] as Json
      const { type: kind, text, partial_json: json, thinking, signature } = delta as Json
      const fits = { text_delta: 'text', input_json_delta: 'tool_use' }[String(kind)] ?? 'thinking'
      expect(at.type).toBe(fits)
      if (text !== undefined) at.text = `${at.text}${text}`
      if (json !== undefined) at.json = `${at.json}${json}`
      if (thinking !== undefined) at.thinking = `${at.thinking}${thinking}`
      if (signature !== undefined) at.signature = signature
    } else if (type === 'content_block_stop') {
      expect(index).toBe(open)
      open = null
    }
  }
  expect(open).toBeNull()
  return blocks
}

export const messagesOf = (body: Json) => body.messages as Json[]
export const contentOf = (message: Json | undefined) => message?.content as Json[]
export const toolCalls = (message: unknown) =>
  (message as { tool_calls: ReturnType<typeof call>[] }).tool_calls
export const chatMessage = (answer: Json) =>
  (answer.choices as { message: Json; finish_reason: string }[])[0]

export const claudeAnswer = (content: Json[], more: Json = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 5 },
  ...more,
})
export const chatAnswer = (
  message: Json,
  finish: string,
  usage: Json = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
) => ({
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    { index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: finish },
  ],
  usage,
})
