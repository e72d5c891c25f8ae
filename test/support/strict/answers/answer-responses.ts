import { pieces } from '../loops/loop-script.ts'
import type { Json } from '../requests/refusal.ts'
import { type AnswerPlan, argumentsOf, namedEvent, type PlannedAnswer } from './answer.ts'

/** The answer of POST /v1/responses: a reasoning item, readable and encrypted as the request wants it. */
export function answerResponses({ turn, body, model, issued, nonce }: AnswerPlan): PlannedAnswer {
  const { usage } = turn
  const reasoning = body.reasoning as Json | undefined
  const wantsState =
    Array.isArray(body.include) && body.include.includes('reasoning.encrypted_content')
  const calls = turn.calls.map((call, index) => ({ ...call, id: `call_${index}${nonce}` }))
  const output: Json[] = []
  if (turn.thinking !== '') {
    const text = reasoning?.summary == null ? '' : turn.thinking
    const id = `rs_${nonce}`
    const state = wantsState
      ? issued.issue({ text, calls: calls.map((call) => call.id), said: turn.text, id })
      : null
    output.push({
      id,
      type: 'reasoning',
      summary: text === '' ? [] : [{ type: 'summary_text', text }],
      ...(state ? { encrypted_content: state.data } : {}),
    })
  }
  if (turn.text !== '') {
    output.push({
      id: `msg_${nonce}`,
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: turn.text, annotations: [], logprobs: [] }],
    })
  }
  for (const [index, call] of calls.entries()) {
    output.push({
      id: `fc_${index}${nonce}`,
      type: 'function_call',
      status: 'completed',
      call_id: call.id,
      name: call.name,
      arguments: argumentsOf(call.arguments),
    })
  }
  const response: Json = {
    id: `resp_${nonce}`,
    object: 'response',
    created_at: 1_790_000_000,
    status: 'completed',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    model,
    output,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: { effort: 'medium', summary: null, ...reasoning },
    service_tier: 'default',
    store: body.store ?? true,
    temperature: 1,
    text: { format: { type: 'text' }, verbosity: 'medium' },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: 1,
    truncation: 'disabled',
    usage: {
      input_tokens: usage.input,
      input_tokens_details: {
        cached_tokens: usage.cachedInput,
        cache_write_tokens: usage.cacheWrite,
      },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.reasoning },
      total_tokens: usage.input + usage.output,
    },
    user: null,
    metadata: {},
  }
  const started = { ...response, status: 'in_progress', output: [], usage: null }
  const events: Json[] = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...output.flatMap(itemEvents),
    { type: 'response.completed', response },
  ]
  return {
    whole: response,
    chunks: events.map(({ type, ...rest }, index) =>
      namedEvent({ type, sequence_number: index, ...rest }),
    ),
  }
}

function itemEvents(item: Json, index: number): Json[] {
  const at = { item_id: item.id, output_index: index }
  const added = (bare: Json): Json => ({
    type: 'response.output_item.added',
    output_index: index,
    item: { ...item, ...bare },
  })
  const done: Json = { type: 'response.output_item.done', output_index: index, item }
  if (item.type === 'reasoning') {
    const [part] = item.summary as Json[]
    const text = String(part?.text ?? '')
    const there = { ...at, summary_index: 0 }
    const inner: Json[] = part
      ? [
          { type: 'response.reasoning_summary_part.added', ...there, part: { ...part, text: '' } },
          ...pieces(text).map((delta) => ({
            type: 'response.reasoning_summary_text.delta',
            ...there,
            delta,
          })),
          { type: 'response.reasoning_summary_text.done', ...there, text },
          { type: 'response.reasoning_summary_part.done', ...there, part },
        ]
      : []
    return [added({ summary: [], encrypted_content: '' }), ...inner, done]
  }
  if (item.type === 'message') {
    const [part] = item.content as Json[]
    const text = String(part?.text)
    const there = { ...at, content_index: 0 }
    return [
      added({ status: 'in_progress', content: [] }),
      { type: 'response.content_part.added', ...there, part: { ...part, text: '' } },
      ...pieces(text).map((delta) => ({
        type: 'response.output_text.delta',
        ...there,
        delta,
        logprobs: [],
        obfuscation: 'x',
      })),
      { type: 'response.output_text.done', ...there, text, logprobs: [] },
      { type: 'response.content_part.done', ...there, part },
      done,
    ]
  }
  const text = String(item.arguments)
  return [
    added({ status: 'in_progress', arguments: '' }),
    ...pieces(text, 11).map((delta) => ({
      type: 'response.function_call_arguments.delta',
      ...at,
      delta,
    })),
    { type: 'response.function_call_arguments.done', ...at, arguments: text },
    done,
  ]
}
