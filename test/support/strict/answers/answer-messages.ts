import { pieces } from '../loops/loop-script.ts'
import type { Json } from '../requests/refusal.ts'
import { prefixOf } from '../requests/thought-binding.ts'
import { type AnswerPlan, argumentsOf, namedEvent, type PlannedAnswer, RAW } from './answer.ts'

/** The answer of POST /v1/messages: thoughts only where the request has them on. */
export function answerMessages({ turn, body, model, issued, nonce }: AnswerPlan): PlannedAnswer {
  const { usage } = turn
  const thinking = body.thinking as Json | undefined
  const thinks = thinking?.type === 'adaptive' || thinking?.type === 'enabled'
  const calls = turn.calls.map((call, index) => ({ ...call, id: `toolu_01${index}${nonce}` }))
  const isShown = thinking?.display !== 'omitted'
  const content: Json[] = []
  if (thinks && turn.thinking !== '') {
    const text = isShown ? turn.thinking : ''
    const ids = calls.map(({ id }) => id)
    const prefix = prefixOf(body, (body.messages as Json[]).length)
    const { data } = issued.issue({ text, calls: ids, said: turn.text, id: nonce, prefix })
    content.push({ type: 'thinking', thinking: text, signature: data })
  }
  if (turn.text !== '') content.push({ type: 'text', text: turn.text, citations: null })
  for (const { id, name, arguments: text } of calls) {
    content.push({
      type: 'tool_use',
      id,
      name,
      input: RAW + argumentsOf(text),
      caller: { type: 'direct' },
    })
  }
  const stop = calls.length > 0 ? 'tool_use' : 'end_turn'
  const usageSent = {
    input_tokens: usage.input - usage.cachedInput - usage.cacheWrite,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cachedInput,
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: usage.output,
    output_tokens_details: { thinking_tokens: usage.reasoning },
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: null,
    speed: null,
  }
  const message = {
    id: `msg_01${nonce}`,
    type: 'message',
    role: 'assistant',
    model,
    container: null,
    diagnostics: null,
    stop_details: null,
    ...(thinking?.block_binding ? { input_transformations: issued.dropped.map(removal) } : {}),
  }
  return {
    whole: { ...message, content, stop_reason: stop, stop_sequence: null, usage: usageSent },
    chunks: [
      namedEvent({
        type: 'message_start',
        message: {
          ...message,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...usageSent, output_tokens: 1, output_tokens_details: null },
        },
      }),
      namedEvent({ type: 'ping' }),
      ...content.flatMap(blockEvents),
      namedEvent({
        type: 'message_delta',
        delta: { stop_reason: stop, stop_sequence: null, stop_details: null },
        usage: usageSent,
      }),
      namedEvent({ type: 'message_stop' }),
    ],
  }
}

/** What the vendor tells of a thought that it left out. */
const removal = (path: string): Json => ({
  ...{ type: 'thinking_dropped', path, reason: 'prefix_binding_mismatch' },
})

function blockEvents(block: Json, index: number): string[] {
  const delta = (inner: Json) => namedEvent({ type: 'content_block_delta', index, delta: inner })
  const start: Json = { ...block }
  const deltas: string[] = []
  if (block.type === 'thinking') {
    start.thinking = ''
    start.signature = ''
    for (const text of pieces(String(block.thinking))) {
      deltas.push(delta({ type: 'thinking_delta', thinking: text }))
    }
    deltas.push(delta({ type: 'signature_delta', signature: block.signature }))
  } else if (block.type === 'text') {
    start.text = ''
    for (const text of pieces(String(block.text))) deltas.push(delta({ type: 'text_delta', text }))
  } else {
    start.input = {}
    const text = String(block.input).slice(RAW.length)
    deltas.push(delta({ type: 'input_json_delta', partial_json: '' }))
    // A call without arguments has only the empty piece.
    for (const piece of text === '{}' ? [] : pieces(text, 11)) {
      deltas.push(delta({ type: 'input_json_delta', partial_json: piece }))
    }
  }
  return [
    namedEvent({ type: 'content_block_start', index, content_block: start }),
    ...deltas,
    namedEvent({ type: 'content_block_stop', index }),
  ]
}
