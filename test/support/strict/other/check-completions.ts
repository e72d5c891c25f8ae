import {
  countFrom,
  demand,
  type Json,
  numberWithin,
  objectAt,
  onlyFields,
  refuse,
  textAt,
} from '../requests/refusal.ts'

const FIELDS =
  'model prompt best_of echo frequency_penalty logit_bias logprobs max_tokens n presence_penalty seed stop stream stream_options suffix temperature top_p user'

const isTokens = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(Number.isInteger)

function checkPrompt(prompt: unknown): void {
  if (prompt === null || typeof prompt === 'string' || isTokens(prompt)) return
  const list = Array.isArray(prompt) ? prompt : []
  demand(list.length > 0, 'prompt', 'must be a string, tokens, or a list of either')
  for (const one of list) {
    demand(typeof one === 'string' || isTokens(one), 'prompt', 'holds what is no prompt')
  }
}

/**
 * Refuses what OpenAI refuses at /completions (https://platform.openai.com/docs/api-reference/completions/create):
 * a legacy endpoint that knows none of Chat's newer fields.
 */
export function checkCompletions(body: Json): void {
  textAt(body.model, 'model')
  onlyFields(body, '', FIELDS)
  if (!('prompt' in body)) refuse('prompt', 'you must provide a prompt')
  checkPrompt(body.prompt)
  for (const [field, least, most] of [
    ['temperature', 0, 2],
    ['top_p', 0, 1],
    ['presence_penalty', -2, 2],
    ['frequency_penalty', -2, 2],
    ['logprobs', 0, 5],
    ['n', 1, 128],
    ['best_of', 1, 20],
  ] as const) {
    if (body[field] != null) numberWithin(body[field], field, least, most)
  }
  if (body.max_tokens != null) countFrom(body.max_tokens, 'max_tokens', 0)
  const { n, best_of: best, stop, stream, stream_options: options } = body
  demand(Number(best ?? n ?? 1) >= Number(n ?? 1), 'best_of', 'must be at least n')
  demand(!Array.isArray(stop) || stop.length <= 4, 'stop', 'array too long: at most 4')
  demand(!(stream && Number(best ?? 1) > 1), 'best_of', 'answers cannot be ranked in a stream')
  if (options != null) {
    demand(stream === true, 'stream_options', 'is only allowed when stream is enabled')
    onlyFields(objectAt(options, 'stream_options'), 'stream_options', 'include_usage')
  }
}
