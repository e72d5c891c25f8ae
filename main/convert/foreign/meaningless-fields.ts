import type { Native } from '../exchange.ts'

/**
 * Fields of answers, by the format that has them, whose absence elsewhere is no loss: ids and marks of the vendor's
 * own, what an answer repeats of its request, and what stands in the exchange in another form.
 */
export const meaninglessFields: Readonly<Partial<Record<Native['origin'], ReadonlySet<string>>>> = {
  chat: new Set([
    ...['index', 'type', 'system_fingerprint', 'native_finish_reason', 'stop_reason', 'token_ids'],
    ...['token_id', 'p'],
    // A thought's state and text go over; the rest is how OpenRouter lists it.
    'reasoning_detail',
    // Tokens go over; no format has a field for prices.
    'usage',
    // Spoken output: its data goes over as a file.
    'audio',
  ]),
  messages: new Set(['type', 'id', 'citations', 'container_upload']),
  'generate-content': new Set([
    ...['index', 'tokenCount', 'createTime', 'usageMetadata', 'sdkHttpResponse', 'logprobsResult'],
  ]),
  responses: new Set([
    ...['id', 'status', 'type', 'role', 'logprobs', 'background', 'billing', 'conversation'],
    ...['frequency_penalty', 'presence_penalty', 'instructions', 'max_output_tokens'],
    ...['max_tool_calls', 'metadata', 'parallel_tool_calls', 'previous_response_id', 'prompt'],
    ...['prompt_cache_key', 'prompt_cache_retention', 'reasoning', 'safety_identifier'],
    ...['service_tier', 'store', 'temperature', 'text', 'tool_choice', 'tools', 'top_logprobs'],
    ...['top_p', 'truncation', 'user'],
  ]),
}

/** Fields of which the exchange has a part in words of its own: sources out of a search's notes. */
export const partlyReadFields: ReadonlySet<string> = new Set([
  ...['groundingMetadata', 'citationMetadata'],
])
