import { decodeChatRequest } from '../../chat/request/decode-request.ts'
import { refuse } from '../../check/check-request.ts'
import type { ExchangeRequest } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'

/** The endpoint's own: https://platform.openai.com/docs/api-reference/completions/create */
const DEFAULT_MAX_TOKENS = 16

/** Means the same at Chat's endpoint, in this spelling, and may be asked of any model. */
const shared = [
  ...['model', 'stream', 'max_tokens', 'stop', 'temperature', 'top_p', 'top_k', 'n', 'seed'],
  ...['presence_penalty', 'frequency_penalty', 'logit_bias', 'user', 'safety_identifier'],
  ...['reasoning_effort', 'response_format', 'service_tier', 'prompt_cache_key', 'stream_options'],
] as const

/** Read here; what they ask for is refused, or is what happens anyway. */
const own = new Set(['prompt', 'suffix', 'best_of', 'echo', 'logprobs', 'prompt_embeds'])

const isSent = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && value !== ''

/** Refuses by name what only a model that goes on from a text can do. */
function refuseOwn(body: JsonObject): void {
  if (isSent(body.suffix)) {
    refuse('suffix', 'no_suffix')
  }
  if (isSent(body.best_of) && Number(body.best_of) !== 1) {
    refuse('best_of', 'no_best_of')
  }
  if (isSent(body.echo)) {
    refuse('echo', 'no_echo')
  }
  if (isSent(body.logprobs)) {
    refuse('logprobs', 'no_logprobs_in_form')
  }
  if (isSent(body.prompt_embeds)) {
    refuse('prompt_embeds', 'no_prompt_embeds')
  }
}

function readPrompt({ prompt }: JsonObject): string {
  if (prompt === undefined || prompt === null) refuse('prompt', 'string_required')
  const list: readonly unknown[] = Array.isArray(prompt) ? prompt : [prompt]
  // A list of numbers is one prompt in tokens, a list of lists several.
  if (list.some((one) => typeof one === 'object' || typeof one === 'number')) {
    refuse('prompt', 'tokens_unreadable')
  }
  if (list.length > 1) {
    refuse('prompt', { code: 'several_prompts', count: list.length })
  }
  const [text] = list
  if (typeof text !== 'string') refuse('prompt', 'must_be_one_string')
  if (text === '') refuse('prompt', 'must_tell_model')
  return text
}

/**
 * A body of the legacy completions endpoint as a conversation of one user turn. What a chat model cannot do is
 * refused by the client's own names; what is not known here stays in `native`, to be noted as dropped.
 */
export function decodeCompletionsRequest(body: JsonObject): ExchangeRequest {
  refuseOwn(body)
  const text = readPrompt(body)
  const asked: JsonObject = { messages: [{ role: 'user', content: text }] }
  for (const name of shared) if (body[name] !== undefined) asked[name] = body[name]
  const { native, ...request } = decodeChatRequest(asked)
  const known = new Set<string>([...shared, ...own])
  const unknown = Object.entries(body).filter(([name, value]) => !known.has(name) && isSent(value))
  const fields = { ...native?.fields, ...Object.fromEntries(unknown) }
  return {
    ...request,
    maxOutput: request.maxOutput ?? DEFAULT_MAX_TOKENS,
    turns: [{ role: 'user', parts: [{ type: 'text', text, at: 'prompt' }], at: 'prompt' }],
    ...(Object.keys(fields).length > 0 ? { native: { origin: 'completions', fields } } : {}),
  }
}
